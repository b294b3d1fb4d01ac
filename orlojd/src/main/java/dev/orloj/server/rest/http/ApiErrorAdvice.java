package dev.orloj.server.rest.http;

import dev.orloj.api.ApiException;
import dev.orloj.api.ErrorReason;
import dev.orloj.api.Status;

import jakarta.servlet.http.HttpServletResponse;

import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.web.ErrorResponse;
import org.springframework.web.bind.annotation.ExceptionHandler;
import org.springframework.web.bind.annotation.RestControllerAdvice;

import java.io.IOException;
import java.util.UUID;

/** The one place that converts exceptions of endpoints into responses. */
@RestControllerAdvice
class ApiErrorAdvice {

    private static final Logger log = LoggerFactory.getLogger(ApiErrorAdvice.class);

    @ExceptionHandler
    void refused(ApiException e, HttpServletResponse response) throws IOException {
        Responses.failure(response, e.toStatus());
    }

    /** The client is gone, or its request was cut off: no response is possible. */
    @ExceptionHandler
    void disconnected(IOException e, HttpServletResponse response) {
        log.atDebug().addKeyValue("error", e.toString()).log("Client disconnected");
    }

    @ExceptionHandler
    void interrupted(InterruptedException e, HttpServletResponse response) throws IOException {
        Thread.currentThread().interrupt();
        Responses.failure(
                response,
                Status.failure(
                        ErrorReason.SERVICE_UNAVAILABLE, "the server is shutting down", null));
    }

    @ExceptionHandler
    void unexpected(Exception e, HttpServletResponse response) throws IOException {
        if (e instanceof ErrorResponse known && known.getStatusCode().is4xxClientError()) {
            Responses.failure(response, HttpErrors.ofCode(known.getStatusCode().value()));
            return;
        }
        String id = UUID.randomUUID().toString();
        log.atError().setCause(e).addKeyValue("errorId", id).log("Request failed unexpectedly");
        Responses.failure(response, HttpErrors.unexpected(id));
    }
}
