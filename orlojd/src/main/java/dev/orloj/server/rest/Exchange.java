package dev.orloj.server.rest;

import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;

import java.util.List;

/** One request, read as far as every endpoint needs it, and its answer. */
record Exchange(
        HttpServletRequest request,
        HttpServletResponse response,
        Query query,
        List<MediaTypes.MediaType> accepted) {

    static Exchange of(HttpServletRequest request, HttpServletResponse response) {
        return new Exchange(
                request,
                response,
                Query.parse(request.getQueryString()),
                MediaTypes.accepted(request.getHeader("Accept")));
    }
}
