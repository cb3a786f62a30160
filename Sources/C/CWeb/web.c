// SPDX-License-Identifier: MIT

#define _GNU_SOURCE
#include "CWeb.h"

#include <curl/curl.h>
#include <netinet/in.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>

struct pp_web {
    CURL *handle;
    struct curl_blob certificates;
    const pp_web_exchange *exchange;
    int64_t count;     // bytes of the body so far
    int is_too_large;
    int is_discarded;  // the body of an answer that is only a status
};

pp_web *pp_web_open(const void *certificates, size_t count) {
    if (curl_global_init(CURL_GLOBAL_DEFAULT)) return NULL;
    pp_web *web = calloc(1, sizeof *web);
    if (!web) return NULL;
    web->handle = curl_easy_init();
    web->certificates = (struct curl_blob){
        .data = (void *)certificates, .len = count, .flags = CURL_BLOB_NOCOPY};
    if (!web->handle) {
        free(web);
        return NULL;
    }
    return web;
}

void pp_web_close(pp_web *web) {
    if (!web) return;
    curl_easy_cleanup(web->handle);
    free(web);
}

// The address is checked where it is used: what a name meant at an earlier look does not matter.
static curl_socket_t open_socket(void *context, curlsocktype purpose,
                                 struct curl_sockaddr *address) {
    const pp_web *web = context;
    if (purpose != CURLSOCKTYPE_IPCXN || address->socktype != SOCK_STREAM) return CURL_SOCKET_BAD;
    const void *bytes;
    size_t count;
    switch (address->family) {
    case AF_INET:
        bytes = &((const struct sockaddr_in *)(const void *)&address->addr)->sin_addr;
        count = 4;
        break;
    case AF_INET6:
        bytes = &((const struct sockaddr_in6 *)(const void *)&address->addr)->sin6_addr;
        count = 16;
        break;
    default: return CURL_SOCKET_BAD;
    }
    if (!web->exchange->permits(web->exchange->context, bytes, count)) return CURL_SOCKET_BAD;
    return socket(address->family, SOCK_STREAM | SOCK_CLOEXEC, IPPROTO_TCP);
}

static size_t take_body(char *bytes, size_t size, size_t count, void *context) {
    pp_web *web = context;
    long status = 0;
    curl_off_t expected = -1;
    curl_easy_getinfo(web->handle, CURLINFO_RESPONSE_CODE, &status);
    curl_easy_getinfo(web->handle, CURLINFO_CONTENT_LENGTH_DOWNLOAD_T, &expected);
    count *= size;
    // A page that says what is wrong is nothing that anybody reads here.
    if (status != 200) {
        web->is_discarded = 1;
        return 0;
    }
    if ((int64_t)count > web->exchange->most_bytes - web->count) {
        web->is_too_large = 1;
        return 0;
    }
    web->count += (int64_t)count;
    const unsigned char *start = (const unsigned char *)bytes;
    return web->exchange->take(web->exchange->context, start, count, expected) ? count : 0;
}

static struct curl_slist *make_list(const char *const *texts) {
    struct curl_slist *list = NULL;
    for (; *texts; texts++) {
        struct curl_slist *longer = curl_slist_append(list, *texts);
        if (!longer) break;
        list = longer;
    }
    return list;
}

static CURLcode prepare(pp_web *web, const pp_web_exchange *exchange, struct curl_slist *addresses,
                        struct curl_slist *headers) {
    CURL *handle = web->handle;
    CURLcode error = CURLE_OK;
#define SET(option, value) \
    if (!error) error = curl_easy_setopt(handle, option, value)
    // Forgets the last exchange, but for open connections, which are not used again.
    curl_easy_reset(handle);
    SET(CURLOPT_URL, exchange->uri);
    SET(CURLOPT_PROTOCOLS_STR, "https");
    SET(CURLOPT_FOLLOWLOCATION, 0L);
    SET(CURLOPT_DISALLOW_USERNAME_IN_URL, 1L);
    SET(CURLOPT_FRESH_CONNECT, 1L);
    SET(CURLOPT_FORBID_REUSE, 1L);
    SET(CURLOPT_NOSIGNAL, 1L);
    SET(CURLOPT_USERAGENT, "photo-portal");
    SET(CURLOPT_HTTPHEADER, headers);
    // Empty texts, so that no variable of the environment matters.
    SET(CURLOPT_PROXY, exchange->proxy);
    SET(CURLOPT_NOPROXY, "");
    SET(CURLOPT_SUPPRESS_CONNECT_HEADERS, 1L);
    SET(CURLOPT_RESOLVE, addresses);
    SET(CURLOPT_SSLVERSION, (long)CURL_SSLVERSION_TLSv1_2);
    SET(CURLOPT_SSL_VERIFYPEER, 1L);
    SET(CURLOPT_SSL_VERIFYHOST, 2L);
    // Those that were read before, and no files.
    SET(CURLOPT_CAINFO_BLOB, &web->certificates);
    SET(CURLOPT_CAINFO, NULL);
    SET(CURLOPT_CAPATH, NULL);
    SET(CURLOPT_TIMEOUT_MS, exchange->patience);
    SET(CURLOPT_CONNECTTIMEOUT_MS, exchange->patience < 20000 ? exchange->patience : 20000L);
    SET(CURLOPT_MAXFILESIZE_LARGE, (curl_off_t)exchange->most_bytes);
    SET(CURLOPT_OPENSOCKETFUNCTION, open_socket);
    SET(CURLOPT_OPENSOCKETDATA, web);
    SET(CURLOPT_WRITEFUNCTION, take_body);
    SET(CURLOPT_WRITEDATA, web);
#undef SET
    return error;
}

static pp_web_problem problem_of(const pp_web *web, CURLcode code) {
    if (web->is_too_large) return PP_WEB_TOO_LARGE;
    if (web->is_discarded) return PP_WEB_DONE;
    switch (code) {
    case CURLE_OK: return PP_WEB_DONE;
    case CURLE_OPERATION_TIMEDOUT: return PP_WEB_TIMED_OUT;
    case CURLE_FILESIZE_EXCEEDED: return PP_WEB_TOO_LARGE;
    case CURLE_COULDNT_CONNECT:
    case CURLE_COULDNT_RESOLVE_HOST:
    case CURLE_COULDNT_RESOLVE_PROXY:
    case CURLE_PROXY: return PP_WEB_UNREACHABLE;
    case CURLE_PEER_FAILED_VERIFICATION:
    case CURLE_SSL_CONNECT_ERROR:
    case CURLE_SSL_CERTPROBLEM:
    case CURLE_SSL_CIPHER:
    case CURLE_SSL_ISSUER_ERROR: return PP_WEB_INSECURE;
    default: return PP_WEB_BROKEN;
    }
}

pp_web_problem pp_web_run(pp_web *web, const pp_web_exchange *exchange, long *status) {
    struct curl_slist *addresses = make_list(exchange->addresses);
    struct curl_slist *headers = make_list(exchange->headers);
    web->exchange = exchange;
    web->count = 0;
    web->is_too_large = 0;
    web->is_discarded = 0;
    *status = 0;
    CURLcode code = prepare(web, exchange, addresses, headers);
    if (!code) code = curl_easy_perform(web->handle);
    // The answer of a proxy that refuses the connection is none of the server's.
    if (!code || web->is_discarded) {
        curl_easy_getinfo(web->handle, CURLINFO_RESPONSE_CODE, status);
    }
    pp_web_problem problem = problem_of(web, code);
    web->exchange = NULL;
    curl_easy_setopt(web->handle, CURLOPT_RESOLVE, NULL);
    curl_easy_setopt(web->handle, CURLOPT_HTTPHEADER, NULL);
    curl_slist_free_all(addresses);
    curl_slist_free_all(headers);
    return problem;
}

const char *pp_web_header(pp_web *web, const char *name, size_t index) {
    struct curl_header *header;
    return curl_easy_header(web->handle, name, index, CURLH_HEADER, -1, &header) == CURLHE_OK
               ? header->value
               : NULL;
}

char *pp_web_redirect(pp_web *web, const char *base) {
    const char *location = pp_web_header(web, "Location", 0);
    // libcurl 8 reads no place as the one of the base.
    CURLU *parsed = location && *location ? curl_url() : NULL;
    if (!parsed) return NULL;
    char *uri = NULL, *result = NULL;
    // A second URI is relative to the first one.
    if (!curl_url_set(parsed, CURLUPART_URL, base, 0) &&
        !curl_url_set(parsed, CURLUPART_URL, location, CURLU_URLENCODE) &&
        !curl_url_get(parsed, CURLUPART_URL, &uri, 0)) {
        result = strdup(uri);
    }
    curl_free(uri);
    curl_url_cleanup(parsed);
    return result;
}

// Copies the host out of a parsed URI; NULL unless it is one of https.
static char *copy_host(CURLU *parsed, uint16_t *port) {
    char *scheme = NULL, *host = NULL, *number = NULL, *zone = NULL, *result = NULL;
    int is_whole = !curl_url_get(parsed, CURLUPART_SCHEME, &scheme, 0) &&
                   !curl_url_get(parsed, CURLUPART_HOST, &host, 0) &&
                   !curl_url_get(parsed, CURLUPART_PORT, &number, CURLU_DEFAULT_PORT);
    // An address with a zone is one of this machine's own links.
    int has_zone = !curl_url_get(parsed, CURLUPART_ZONEID, &zone, 0);
    if (is_whole && !has_zone && !strcmp(scheme, "https")) {
        long value = strtol(number, NULL, 10);
        size_t length = strlen(host);
        if (value > 0 && value <= UINT16_MAX) {
            *port = (uint16_t)value;
            result = host[0] == '[' && length > 2 ? strndup(host + 1, length - 2) : strdup(host);
        }
    }
    curl_free(scheme);
    curl_free(host);
    curl_free(number);
    curl_free(zone);
    return result;
}

char *pp_web_host(const char *uri, uint16_t *port) {
    CURLU *parsed = curl_url();
    if (!parsed) return NULL;
    char *host = NULL;
    if (!curl_url_set(parsed, CURLUPART_URL, uri, CURLU_DISALLOW_USER)) {
        host = copy_host(parsed, port);
    }
    curl_url_cleanup(parsed);
    return host;
}

const char *pp_web_authorities(void) {
    const curl_version_info_data *version = curl_version_info(CURLVERSION_NOW);
    return version->age >= CURLVERSION_SEVENTH ? version->cainfo : NULL;
}
