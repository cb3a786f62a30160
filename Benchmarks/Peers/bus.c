// SPDX-License-Identifier: MIT
//
// A service that does nothing but pass messages on: the least that the bus takes for a pick.
//
//   bus NAME BACKEND
//
// Owns NAME. A call of `Pick` is answered at once, BACKEND is pinged, and its reply becomes the signal
// `Response` to the caller: the five messages of a pick. `Ping` is answered, so that one such program
// can be the backend of another. All other calls are dropped unread.

#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <systemd/sd-bus.h>

static const char *backend;

static void check(int result, const char *operation) {
    if (result >= 0) return;
    fprintf(stderr, "%s: %s\n", operation, strerror(-result));
    exit(1);
}

static int respond(sd_bus_message *reply, void *context, sd_bus_error *error) {
    (void)error;
    char *caller = context;
    sd_bus_message *signal = NULL;
    sd_bus *bus = sd_bus_message_get_bus(reply);
    check(
        sd_bus_message_new_signal(bus, &signal, "/", "org.example.Floor", "Response"), "signal");
    check(sd_bus_message_set_destination(signal, caller), "destination");
    check(sd_bus_send(bus, signal, NULL), "send");
    sd_bus_message_unref(signal);
    free(caller);
    return 1;
}

static int receive(sd_bus_message *call, void *context, sd_bus_error *error) {
    (void)context;
    (void)error;
    uint8_t type = 0;
    sd_bus_message_get_type(call, &type);
    if (type != SD_BUS_MESSAGE_METHOD_CALL) return 0;
    if (sd_bus_message_is_method_call(call, "org.freedesktop.DBus.Peer", "Ping") > 0) return 0;
    if (sd_bus_message_is_method_call(call, "org.example.Floor", "Pick") <= 0) return 1;
    sd_bus *bus = sd_bus_message_get_bus(call);
    char *caller = strdup(sd_bus_message_get_sender(call));
    check(sd_bus_reply_method_return(call, ""), "reply");
    check(
        sd_bus_call_method_async(
            bus, NULL, backend, "/", "org.freedesktop.DBus.Peer", "Ping", respond, caller, ""),
        "ping");
    return 1;
}

int main(int count, char **words) {
    if (count != 3) return 2;
    backend = words[2];
    sd_bus *bus = NULL;
    check(sd_bus_open_user(&bus), "open");
    check(sd_bus_add_filter(bus, NULL, receive, NULL), "filter");
    check(sd_bus_request_name(bus, words[1], 0), "name");
    while (1) {
        int result = sd_bus_process(bus, NULL);
        check(result, "process");
        if (result == 0) check(sd_bus_wait(bus, UINT64_MAX), "wait");
    }
}
