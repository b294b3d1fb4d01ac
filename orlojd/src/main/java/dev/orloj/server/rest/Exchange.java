package dev.orloj.server.rest;

import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;

import java.io.IOException;
import java.util.List;

/** One request, read as far as every endpoint needs it, and its answer. */
record Exchange(
        HttpServletRequest request,
        HttpServletResponse response,
        RequestBody body,
        Query query,
        List<MediaTypes.MediaType> accepted) {

    /** Reads the body. */
    static Exchange of(HttpServletRequest request, HttpServletResponse response)
            throws IOException {
        return new Exchange(
                request,
                response,
                RequestBody.read(request),
                Query.parse(request.getQueryString()),
                MediaTypes.accepted(request.getHeader("Accept")));
    }
}
