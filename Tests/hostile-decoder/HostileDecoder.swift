// SPDX-License-Identifier: MIT
// A decoder that was taken over: it speaks the protocol and lies. The name by which it is started says
// what about.

import Files
import Glibc
import ImageWork
import Photos
import Processes

@main
enum HostileDecoder {
    static func main() throws {
        let name = CommandLine.arguments.first?.split(separator: "/").last.map(String.init) ?? ""
        guard let lie = Lie(rawValue: name) else { exit(1) }
        try WorkerSocket.send(DecoderProtocol.greeting)
        guard try WorkerSocket.becomeWorker(), lie != .unready else { return }
        let liar = Liar(lie: lie)
        try WorkerSocket.send(
            lie == .otherVersion ? Array("0.0".utf8) : DecoderProtocol.greeting)
        if lie == .early { try liar.sendSmall(0) }
        var jobs: UInt8 = 0
        while let packet = try WorkerSocket.receive(capacity: DecoderProtocol.packetSize),
            let (number, job) = DecoderProtocol.split(packet.bytes)
        {
            if lie == .silent { continue }
            while lie == .busy {}
            if lie == .starved { workWithPauses() }
            var (bytes, descriptors) = liar.answer(job, on: packet.descriptors.first)
            if lie == .ignorant {
                (bytes, descriptors) = DecoderProtocol.encode(
                    Result<ImageFacts, DecodeError>.failure(.unsupported))
            }
            if lie == .spoilt, jobs > 0, job.first == JobCode.derive.rawValue {
                let nothing: DerivedFile? = nil
                (bytes, descriptors) = DecoderProtocol.encode(.success(nothing))
            }
            jobs &+= 1
            if lie == .marked { bytes[15] = jobs }
            try WorkerSocket.send(
                lie == .emptyPacket ? [] : DecoderProtocol.numbered(bytes, number),
                descriptors: descriptors)
            if lie == .twice { try liar.sendSmall(number) }
        }
    }
}

/// Uses 400 ms of processor time, with as much time for others.
private func workWithPauses() {
    for _ in 1...40 {
        usleep(10_000)
        let end = processorTime() + .milliseconds(10)
        while processorTime() < end {}
    }
}

private func processorTime() -> Duration {
    var time = timespec()
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &time)
    return .seconds(time.tv_sec) + .nanoseconds(time.tv_nsec)
}

extension Liar {
    /// Sends the facts of a picture that nobody asked for.
    fileprivate func sendSmall(_ number: UInt64) throws {
        let facts = ImageFacts(mediaType: .jpeg, storedSize: PixelSize(width: 1, height: 1))
        let (bytes, _) = DecoderProtocol.encode(.success(facts))
        try WorkerSocket.send(DecoderProtocol.numbered(bytes, number))
    }

    /// The reply to a packet, with the lies that concern the packet itself.
    func answer(_ packet: [UInt8], on file: Descriptor?) -> ([UInt8], [Descriptor]) {
        var (bytes, descriptors) = DecoderProtocol.answer(packet, on: file, by: self)
        switch lie {
        case .noDescriptor: descriptors = []
        case .extraDescriptor: descriptors += file.map { [$0] } ?? []
        case .otherReply: (bytes, descriptors) = DecoderProtocol.encode(.success(facts))
        case .unknownCode: bytes[0] = 99
        case .unknownError: bytes = [2, 99]
        case .trailingByte: bytes.append(0)
        case .longPacket: bytes += [UInt8](repeating: 0, count: DecoderProtocol.packetSize)
        // The type is counted text, then come width, height and orientation.
        case _ where packet.first != JobCode.probe.rawValue && lie.isAboutFacts: break
        case .hugeFacts: bytes.replaceSubrange(15..<19, with: [255, 255, 255, 255])
        case .unknownOrientation: bytes[23] = 9
        case .unknownType: bytes.replaceSubrange(5..<15, with: Array("text\nplain".utf8))
        case .typesCount: bytes.replaceSubrange(1..<5, with: [255, 255, 255, 255])
        default: break
        }
        return (bytes, descriptors)
    }
}
