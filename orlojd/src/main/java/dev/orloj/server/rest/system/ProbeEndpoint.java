package dev.orloj.server.rest.system;

import dev.orloj.server.oidc.Issuers;
import dev.orloj.server.rest.http.QueryParameters;
import dev.orloj.server.rest.http.Responses;
import dev.orloj.server.security.SecuredPorts;
import dev.orloj.server.store.key.StoredKeys;

import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;

import org.springframework.beans.factory.ObjectProvider;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.RestController;

import java.io.IOException;
import java.util.List;
import java.util.Optional;
import java.util.stream.Collectors;

/** Serves the liveness and readiness probes. */
@RestController
class ProbeEndpoint {

    private final Readiness readiness;
    private final ObjectProvider<Issuers> issuers;
    private final ObjectProvider<StoredKeys> keys;
    private final SecuredPorts ports;

    ProbeEndpoint(
            Readiness readiness,
            ObjectProvider<Issuers> issuers,
            ObjectProvider<StoredKeys> keys,
            SecuredPorts ports) {
        this.keys = keys;
        this.ports = ports;
        this.readiness = readiness;
        this.issuers = issuers;
    }

    @GetMapping({"/healthz", "/livez"})
    void live(HttpServletRequest request, HttpServletResponse response) throws IOException {
        answer(request, response, List.of());
    }

    @GetMapping("/readyz")
    void ready(HttpServletRequest request, HttpServletResponse response) throws IOException {
        answer(request, response, readiness.obstacles());
    }

    /** The one check of Kubernetes that every server has. */
    @GetMapping({"/healthz/ping", "/livez/ping", "/readyz/ping"})
    void ping(HttpServletResponse response) throws IOException {
        Responses.text(response, 200, "ok");
    }

    private void answer(
            HttpServletRequest request, HttpServletResponse response, List<String> obstacles)
            throws IOException {
        int code = obstacles.isEmpty() ? 200 : 503;
        String said = String.join("; ", obstacles);
        if (QueryParameters.parse(request.getQueryString()).isOn("verbose")) {
            String probe = request.getRequestURI().substring(1);
            String checks =
                    obstacles.isEmpty() ? "[+]ready ok\n" : "[-]ready failed: " + said + "\n";
            Responses.text(
                    response,
                    code,
                    "[+]ping ok\n%s%s check %s\n"
                            .formatted(
                                    probe.equals("readyz")
                                            ? checks
                                                    + keys(obstacles.isEmpty())
                                                    + issuers()
                                                    + openness()
                                            : "",
                                    probe,
                                    code == 200 ? "passed" : "failed"));
        } else {
            Responses.text(response, code, code == 200 ? "ok" : "not ready: " + said + "\n");
        }
    }

    /**
     * Without the key of the Secrets, orlojd is ready for all that needs none.
     *
     * @param isReady the database answers
     */
    private String keys(boolean isReady) {
        return keys.stream()
                .map(all -> isReady ? all.presentProblem() : all.problem())
                .flatMap(Optional::stream)
                .map("[-]encryption-key failed: %s\n"::formatted)
                .collect(Collectors.joining());
    }

    /** What {@code orlojctl status} warns of. */
    private String openness() {
        return ports.http() ? "" : "[!]anonymous-access through the HTTP port is on\n";
    }

    /** Issuers of tokens that cannot be reached; without them, orlojd is ready for other users. */
    private String issuers() {
        StringBuilder lines = new StringBuilder();
        issuers.stream()
                .flatMap(all -> all.reachability().stream())
                .forEach(
                        issuer ->
                                lines.append(
                                        issuer.problem().isEmpty()
                                                ? "[+]issuer %s ok\n".formatted(issuer.url())
                                                : "[-]issuer %s cannot be reached, the log says why\n"
                                                        .formatted(issuer.url())));
        return lines.toString();
    }
}
