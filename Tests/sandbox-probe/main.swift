// SPDX-License-Identifier: MIT
// Enters the decoder's sandbox and tries operations that it must prevent. Prints a line with the
// error for each, 0 for success. An operation that ends the process is run alone, by its name. With
// --network it is the sandbox of the program that fetches pictures, with --cameras that of the one that has
// the cameras.

import CSandbox
import Glibc

private func attempt(_ name: String) -> Int32 {
    errno = 0
    let result: Int
    switch name {
    case "open": result = Int(open("/etc/passwd", O_RDONLY))
    case "create": result = Int(open("/tmp/photo-portal-sandbox-probe", O_WRONLY | O_CREAT, 0o600))
    case "stat":
        var information = stat()
        result = Int(stat("/etc/passwd", &information))
    case "list": result = opendir("/") == nil ? -1 : 0
    case "unlink": result = Int(unlink("/tmp/photo-portal-sandbox-probe"))
    case "socket": result = Int(socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0))
    case "tcp": result = Int(socket(AF_INET, Int32(SOCK_STREAM.rawValue), 6))
    case "sctp": result = Int(socket(AF_INET, Int32(SOCK_STREAM.rawValue), 132))
    case "multipath": result = Int(socket(AF_INET6, Int32(SOCK_STREAM.rawValue), 262))
    case "unix-socket": result = Int(socket(AF_UNIX, Int32(SOCK_STREAM.rawValue), 0))
    case "datagram": result = Int(socket(AF_INET, Int32(SOCK_DGRAM.rawValue), 0))
    case "netlink": result = Int(socket(AF_NETLINK, Int32(SOCK_RAW.rawValue), 0))
    case "socket6": result = Int(socket(AF_INET6, Int32(SOCK_STREAM.rawValue), 0))
    case "listen":
        let socket = socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
        result = socket < 0 ? 0 : Int(listen(socket, 1))
    case "kill-parent": result = Int(kill(getppid(), 0))
    case "execute":
        var words: [UnsafeMutablePointer<CChar>?] = [strdup("/bin/true"), nil]
        result = Int(execv("/bin/true", &words))
    case "spawn":
        var child: pid_t = 0
        var words: [UnsafeMutablePointer<CChar>?] = [strdup("/bin/true"), nil]
        result = posix_spawn(&child, "/bin/true", nil, nil, &words, nil) == 0 ? 0 : -1
    case "connect":
        var address = sockaddr_un()
        address.sun_family = sa_family_t(AF_UNIX)
        result = withUnsafePointer(to: &address) { address in
            address.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                // Descriptor 0 is a pipe or a file; the call itself is rejected.
                Int(connect(0, $0, socklen_t(MemoryLayout<sockaddr_un>.size)))
            }
        }
    case "fork": result = Int(fork())
    case "trace":
        // A variadic function, which Swift cannot call.
        typealias Trace = @convention(c) (CInt, pid_t, Int, Int) -> Int
        guard let symbol = dlsym(nil, "ptrace") else { return -1 }
        result = unsafeBitCast(symbol, to: Trace.self)(0, 0, 0, 0)
    case "thread":
        var thread = pthread_t()
        let error = pthread_create(&thread, nil, { _ in nil }, nil)
        result = error == 0 ? Int(pthread_join(thread, nil)) : -1
    case "executable-memory":
        let memory = mmap(nil, 4096, PROT_READ | PROT_EXEC, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0)
        result = memory == MAP_FAILED ? -1 : 0
    case "much-memory":
        let memory = mmap(
            nil, 600 << 20, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0)
        result = memory == MAP_FAILED ? -1 : 0
    case "read": result = read(0, nil, 0)
    default: result = -1
    }
    return result >= 0 ? 0 : max(errno, 1)
}

var limits = pp_sandbox_limits(
    address_space: 1024 << 20, data: 512 << 20, file_size: 512 << 20, open_files: 16,
    allows_network: CommandLine.arguments.contains("--network") ? 1 : 0,
    allows_cameras: CommandLine.arguments.contains("--cameras") ? 1 : 0)
if CommandLine.arguments.contains("--files"), let problem = pp_sandbox_restrict_files() {
    print("no limits: \(String(cString: problem))")
    exit(2)
} else if CommandLine.arguments.contains("--files") {
    // Only the first step of the program that has the cameras.
} else if let problem = pp_sandbox_enter(&limits) {
    print("no sandbox: \(String(cString: problem))")
    exit(2)
}
for name in CommandLine.arguments.dropFirst() where !name.hasPrefix("--") {
    print("\(name) \(attempt(name))")
}
