package dev.orloj.server.rest.http;

import jakarta.servlet.RequestDispatcher;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;

import org.springframework.boot.webmvc.error.ErrorController;
import org.springframework.web.bind.annotation.RequestMapping;
import org.springframework.web.bind.annotation.RestController;

import java.io.IOException;

/**
 * Answers requests that failed before, or outside of, any endpoint; the container dispatches them
 * here.
 */
@RestController
class ErrorEndpoint implements ErrorController {

    @RequestMapping("/error")
    void handle(HttpServletRequest request, HttpServletResponse response) throws IOException {
        Object code = request.getAttribute(RequestDispatcher.ERROR_STATUS_CODE);
        Responses.failure(response, HttpErrors.ofCode(code instanceof Integer known ? known : 404));
    }
}
