package dev.orloj.server.rest;

import jakarta.servlet.http.HttpServletResponse;

import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.RestController;

import java.io.IOException;
import java.util.List;

/** Tells supervisors whether the server lives, and whether it may be sent requests. */
@RestController
class ProbeEndpoint {

    private final Readiness readiness;

    ProbeEndpoint(Readiness readiness) {
        this.readiness = readiness;
    }

    @GetMapping({"/healthz", "/livez"})
    void live(HttpServletResponse response) throws IOException {
        Answers.text(response, 200, "ok");
    }

    @GetMapping("/readyz")
    void ready(HttpServletResponse response) throws IOException {
        List<String> obstacles = readiness.obstacles();
        if (obstacles.isEmpty()) {
            Answers.text(response, 200, "ok");
        } else {
            Answers.text(response, 503, "not ready: " + String.join("; ", obstacles) + "\n");
        }
    }
}
