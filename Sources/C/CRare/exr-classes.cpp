// SPDX-License-Identifier: MIT

#include "exr-classes.h"

extern "C" {
#include "rare.h"
}

#include <OpenEXR/ImfFrameBuffer.h>
#include <OpenEXR/ImfHeader.h>
#include <OpenEXR/ImfIO.h>
#include <OpenEXR/ImfInputPart.h>
#include <OpenEXR/ImfMultiPartInputFile.h>

#include <exception>
#include <memory>
#include <stdexcept>

namespace {

constexpr int mostSide = 65535;

class Source final : public Imf::IStream {
public:
    explicit Source(int fd) : Imf::IStream("file"), fd(fd), size(pp_rare_file_size(fd)) {}

    bool read(char bytes[], int count) override {
        int done = 0;
        while (done < count) {
            const ssize_t received = pp_rare_read_at(fd, bytes + done, static_cast<size_t>(count - done),
                                                     static_cast<off_t>(position));
            if (received <= 0) throw std::runtime_error("the file ends early");
            done += static_cast<int>(received);
            position += static_cast<uint64_t>(received);
        }
        return position < size;
    }

    uint64_t tellg() override { return position; }
    void seekg(uint64_t offset) override { position = offset; }

private:
    int fd;
    uint64_t size;
    uint64_t position = 0;
};

} // namespace

struct pp_exr_reader {
    // No threads, which the sandbox does not allow.
    pp_exr_reader(int fd, int part) : source(fd), file(source, 0), part(file, part) {}

    Source source;
    Imf::MultiPartInputFile file;
    Imf::InputPart part;
};

pp_exr_reader *pp_exr_open(int fd, int part) {
    try {
        Imf::Header::setMaxImageSize(mostSide, mostSide);
        Imf::Header::setMaxTileSize(mostSide, mostSide);
        return std::make_unique<pp_exr_reader>(fd, part).release();
    } catch (const std::exception &) {
        return nullptr;
    }
}

int pp_exr_read_rows(pp_exr_reader *reader, const pp_exr_plane *planes, size_t count, int first,
                     int last) {
    try {
        Imf::FrameBuffer buffer;
        for (const pp_exr_plane *plane = planes; plane < planes + count; plane++) {
            buffer.insert(plane->name,
                          Imf::Slice::Make(Imf::HALF, plane->samples, {plane->left, plane->top},
                                           plane->width, plane->height, sizeof(uint16_t),
                                           static_cast<size_t>(plane->width) * sizeof(uint16_t),
                                           plane->x_step, plane->y_step));
        }
        reader->part.setFrameBuffer(buffer);
        reader->part.readPixels(first, last);
        return 1;
    } catch (const std::exception &) {
        return 0;
    }
}

void pp_exr_close(pp_exr_reader *reader) { delete reader; }
