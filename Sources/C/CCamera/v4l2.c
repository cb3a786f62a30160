// SPDX-License-Identifier: MIT

#define _GNU_SOURCE
#include <errno.h>
#include <fcntl.h>
#include <linux/videodev2.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/stat.h>
#include <sys/sysmacros.h>
#include <unistd.h>

#include "CCamera.h"

// The major number of all devices of V4L2.
enum { VIDEO_MAJOR = 81 };

// Of a kernel that is newer than the headers. Source: Linux 6.13, videodev2.h.
enum { TYPE_RECTANGLE = 0x0107, WHICH_MAXIMUM = 0x0f030000 };

static int control(int device, unsigned long request, void *argument) {
    int result;
    do result = ioctl(device, request, argument);
    while (result < 0 && errno == EINTR);
    return result < 0 ? errno : 0;
}

int pp_control_open(const char *path) {
    int device = open(path, O_RDWR | O_NONBLOCK | O_CLOEXEC | O_NOFOLLOW);
    if (device < 0) return -1;
    struct stat status;
    if (fstat(device, &status) || !S_ISCHR(status.st_mode) || major(status.st_rdev) != VIDEO_MAJOR) {
        close(device);
        errno = ENODEV;
        return -1;
    }
    return device;
}

void pp_control_close(int device) { close(device); }

static int query(int device, uint32_t id, struct v4l2_query_ext_ctrl *description) {
    memset(description, 0, sizeof *description);
    description->id = id;
    return !control(device, VIDIOC_QUERY_EXT_CTRL, description) &&
           !(description->flags & (V4L2_CTRL_FLAG_DISABLED | V4L2_CTRL_FLAG_READ_ONLY));
}

int pp_control_query(int device, uint32_t id, int64_t *minimum, int64_t *maximum) {
    struct v4l2_query_ext_ctrl description;
    if (!query(device, id, &description)) return 0;
    *minimum = description.minimum;
    *maximum = description.maximum;
    return 1;
}

int pp_control_has_entry(int device, uint32_t id, uint32_t index) {
    struct v4l2_querymenu entry = {.id = id, .index = index};
    return !control(device, VIDIOC_QUERYMENU, &entry);
}

int pp_control_set(int device, uint32_t id, int64_t value) {
    struct v4l2_query_ext_ctrl description;
    if (!query(device, id, &description)) return EINVAL;
    struct v4l2_ext_control single = {.id = id};
    if (description.type == V4L2_CTRL_TYPE_INTEGER64) {
        single.value64 = value;
    } else {
        single.value = (int32_t)value;
    }
    struct v4l2_ext_controls all = {.which = V4L2_CTRL_WHICH_CUR_VAL, .count = 1, .controls = &single};
    return control(device, VIDIOC_S_EXT_CTRLS, &all);
}

int pp_control_bounds(int device, uint32_t id, pp_control_rectangle *bounds) {
    struct v4l2_query_ext_ctrl description;
    if (!query(device, id, &description) || description.type != TYPE_RECTANGLE) return 0;
    struct v4l2_ext_control single = {.id = id, .size = sizeof *bounds, .ptr = bounds};
    struct v4l2_ext_controls all = {.which = WHICH_MAXIMUM, .count = 1, .controls = &single};
    return !control(device, VIDIOC_G_EXT_CTRLS, &all) && bounds->width && bounds->height;
}

int pp_control_set_rectangle(int device, uint32_t id, pp_control_rectangle rectangle) {
    struct v4l2_ext_control single = {.id = id, .size = sizeof rectangle, .ptr = &rectangle};
    struct v4l2_ext_controls all = {.which = V4L2_CTRL_WHICH_CUR_VAL, .count = 1, .controls = &single};
    return control(device, VIDIOC_S_EXT_CTRLS, &all);
}
