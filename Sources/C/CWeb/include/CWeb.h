// SPDX-License-Identifier: MIT
// One exchange over https at a time, by libcurl behind calls that are not variadic. Nothing here follows a
// redirect, looks up a name or opens a file. Only Web imports this module.

#ifndef PP_CWEB_H
#define PP_CWEB_H

#include <stddef.h>
#include <stdint.h>

typedef enum pp_web_problem {
    PP_WEB_DONE,
    PP_WEB_UNREACHABLE,  // no connection
    PP_WEB_INSECURE,     // no TLS, or a certificate that is not for this host
    PP_WEB_TIMED_OUT,
    PP_WEB_TOO_LARGE,
    PP_WEB_BROKEN,       // not HTTP, or an answer that ends early
} pp_web_problem;

typedef struct pp_web pp_web;

typedef struct pp_web_exchange {
    const char *_Nonnull uri;
    // NULL-terminated: "HOST:PORT:ADDRESS,ADDRESS". Names without an entry are not found.
    const char *_Nullable const *_Nonnull addresses;
    const char *_Nonnull proxy;                     // a URI; empty for none
    const char *_Nullable const *_Nonnull headers;  // NULL-terminated, "NAME: VALUE"
    int64_t most_bytes;                             // of the body
    long patience;                                  // milliseconds, at least 1
    void *_Nullable context;
    // Whether to connect to an address of 4 or 16 bytes: asked for the very address that is used.
    int (*_Nonnull permits)(void *_Nullable context, const unsigned char *_Nonnull address,
                            size_t count);
    // Takes a part of the body of an answer with status 200; the size of the whole is -1 if it is
    // unknown. 0 ends the exchange.
    int (*_Nonnull take)(void *_Nullable context, const unsigned char *_Nonnull bytes, size_t count,
                         int64_t expected);
} pp_web_exchange;

// Prepares for exchanges, so that none of them opens a file. Certificates are in PEM; their memory
// must outlive the result. NULL without memory.
pp_web *_Nullable pp_web_open(const void *_Nonnull certificates, size_t count);
void pp_web_close(pp_web *_Nullable web);

// Sends one GET and reads the answer; `status` is 0 if there was none.
pp_web_problem pp_web_run(pp_web *_Nonnull web, const pp_web_exchange *_Nonnull exchange,
                          long *_Nonnull status);

// A header of the last answer, or NULL; valid until the next exchange. The index counts the fields of the
// same name, from 0.
const char *_Nullable pp_web_header(pp_web *_Nonnull web, const char *_Nonnull name, size_t index);
// Where the last answer redirects to, as an absolute URI of any scheme, or NULL; `base` is the URI of that
// exchange. The result must be freed.
char *_Nullable pp_web_redirect(pp_web *_Nonnull web, const char *_Nonnull base);

// The host and the port of an https URI without user and password; NULL for any other text. An IPv6
// address is without brackets. The result must be freed.
char *_Nullable pp_web_host(const char *_Nonnull uri, uint16_t *_Nonnull port);

// The file with the authorities that libcurl trusts on this system, or NULL.
const char *_Nullable pp_web_authorities(void);

#endif
