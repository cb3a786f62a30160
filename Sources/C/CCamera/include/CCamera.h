// SPDX-License-Identifier: MIT
// Cameras of PipeWire and V4L2, by GStreamer behind calls that return: no callback crosses Swift, and what
// a camera says of itself is bounded. Only Cameras imports this module.

#ifndef PP_CCAMERA_H
#define PP_CCAMERA_H

#include <stddef.h>
#include <stdint.h>

typedef enum pp_camera_problem {
    PP_CAMERA_DONE,
    PP_CAMERA_BUSY,         // another program has it
    PP_CAMERA_DENIED,       // this user may not open it
    PP_CAMERA_VANISHED,     // it has gone, or its stream has ended
    PP_CAMERA_SILENT,       // no frame in time
    PP_CAMERA_UNSUPPORTED,  // it does not deliver what it was asked for
    PP_CAMERA_UNAVAILABLE,  // no PipeWire, or no memory
    PP_CAMERA_GARBAGE,      // frames that are not what the camera says of them
} pp_camera_problem;

// Loads GStreamer with nothing but the plugins that cameras need: no registry is read or written, and no
// other program is started. Returns NULL, or the name of the plugin file that is missing.
const char *_Nullable pp_camera_load(void);

// Makes GStreamer generate the code that conversions of usual frames need: later, no memory can be made
// executable.
void pp_camera_prepare(void);

// MARK: Listing

typedef struct pp_camera_mode {
    uint32_t width;
    uint32_t height;
    // The highest rate: so many frames in so many seconds; both 0 if the camera does not tell it.
    uint32_t frames;
    uint32_t seconds;
    int is_jpeg;  // whether its frames are JPEG files
} pp_camera_mode;

typedef struct pp_camera_info {
    char *_Nonnull id;         // unique while it is connected
    char *_Nonnull name;
    char *_Nullable location;  // api.libcamera.location
    char *_Nullable rotation;  // api.libcamera.rotation
    char *_Nullable node;      // the path of the V4L2 device
    pp_camera_mode *_Nullable modes;
    size_t mode_count;
} pp_camera_info;

// Follows which cameras there are. One thread uses it, until the process ends: PipeWire's plugin sometimes
// damages memory when it is stopped.
typedef struct pp_camera_watch pp_camera_watch;

// NULL without memory.
pp_camera_watch *_Nullable pp_camera_watch_open(void);
// Whether a camera has come or gone since the last list.
int pp_camera_watch_has_changed(pp_camera_watch *_Nonnull watch);
// The cameras, at most so many; those of V4L2 only if PipeWire has none. UNAVAILABLE if there is neither
// PipeWire nor a device of V4L2.
pp_camera_problem pp_camera_watch_list(pp_camera_watch *_Nonnull watch, size_t most,
                                       pp_camera_info *_Nullable *_Nonnull list,
                                       size_t *_Nonnull count);
void pp_camera_list_free(pp_camera_info *_Nullable list, size_t count);

// The modes in capabilities, written as GStreamer writes them; 0 for text that is none. For tests.
size_t pp_camera_modes(const char *_Nonnull capabilities, pp_camera_mode *_Nonnull modes,
                       size_t most);

// MARK: Frames

// A running camera. One thread uses it.
typedef struct pp_camera pp_camera;

// Starts a camera of the last list and waits for its first frame, for at most so many milliseconds.
pp_camera_problem pp_camera_open(pp_camera_watch *_Nonnull watch, const char *_Nonnull id,
                                 const pp_camera_mode *_Nonnull mode, int patience,
                                 pp_camera *_Nullable *_Nonnull camera);
void pp_camera_close(pp_camera *_Nullable camera);
// Waits for a frame that is newer than the last one, and keeps it.
pp_camera_problem pp_camera_next(pp_camera *_Nonnull camera, int patience);
// Copies the frame that is kept: the memory of a camera that is unplugged goes with it.
pp_camera_problem pp_camera_own(pp_camera *_Nonnull camera);
// The size of the frame that is kept.
void pp_camera_frame_size(const pp_camera *_Nonnull camera, uint32_t *_Nonnull width,
                          uint32_t *_Nonnull height);

typedef struct pp_camera_part {
    uint32_t x;
    uint32_t y;
    uint32_t width;
    uint32_t height;
} pp_camera_part;

// What a pixel is; the value is the number of its bytes.
typedef enum pp_camera_layout {
    PP_CAMERA_RGB = 3,
    PP_CAMERA_BGRA = 4,  // with 255 as alpha
} pp_camera_layout;

// Converts a part of the frame that is kept, which must be inside, to rows of `width` pixels without padding,
// and then turns them as an EXIF orientation (1…8) says; BGRA alone can be turned. `width` and `height` are
// those before the turn, at least 1. `pixels` has room for width × height pixels.
pp_camera_problem pp_camera_convert(pp_camera *_Nonnull camera, pp_camera_part part,
                                    uint32_t width, uint32_t height, uint32_t orientation,
                                    pp_camera_layout layout, uint8_t *_Nonnull pixels);

// MARK: Controls

// A V4L2 device whose controls are set; it need not be the one that streams.
int pp_control_open(const char *_Nonnull path);  // -1, and errno
void pp_control_close(int device);
// Whether the device lists a control that can be set now, and its range.
int pp_control_query(int device, uint32_t control, int64_t *_Nonnull minimum,
                     int64_t *_Nonnull maximum);
// Whether a menu has an entry.
int pp_control_has_entry(int device, uint32_t control, uint32_t index);
int pp_control_set(int device, uint32_t control, int64_t value);  // 0, or an errno
typedef struct pp_control_rectangle {
    int32_t left;
    int32_t top;
    uint32_t width;
    uint32_t height;
} pp_control_rectangle;
// The largest rectangle of such a control; 0 if there is none.
int pp_control_bounds(int device, uint32_t control, pp_control_rectangle *_Nonnull bounds);
int pp_control_set_rectangle(int device, uint32_t control, pp_control_rectangle rectangle);

#endif
