package dev.orloj.server.rest.http;

import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;

import java.io.IOException;
import java.util.List;

/** One request, parsed as far as every endpoint needs it, and its response. */
public record HttpExchange(
        HttpServletRequest request,
        HttpServletResponse response,
        RequestBody body,
        QueryParameters query,
        List<MediaTypes.MediaType> accepted) {

    /** Reads the body. */
    public static HttpExchange of(HttpServletRequest request, HttpServletResponse response)
            throws IOException {
        return new HttpExchange(
                request,
                response,
                RequestBody.read(request),
                QueryParameters.parse(request.getQueryString()),
                MediaTypes.accepted(request.getHeader("Accept")));
    }
}
