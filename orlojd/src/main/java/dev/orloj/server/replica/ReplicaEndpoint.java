package dev.orloj.server.replica;

import dev.orloj.api.codec.Json;
import dev.orloj.server.authentication.AuthenticationGuard;
import dev.orloj.server.disconnect.ClientDisconnects;
import dev.orloj.server.stream.StreamedWork;

import jakarta.servlet.http.HttpServlet;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;

import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

import tools.jackson.core.JacksonException;
import tools.jackson.databind.node.ObjectNode;

import java.io.IOException;
import java.io.Serial;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.UUID;
import java.util.function.Consumer;
import java.util.function.Function;
import java.util.stream.Collectors;

/**
 * Serves requests of other replicas: {@code POST /internal/replicas/KIND}, with a token that only a
 * replica can create. The response is a stream, which carries heartbeats while there is nothing to
 * send. Closing the connection ends the work.
 */
final class ReplicaEndpoint extends HttpServlet {

    @Serial private static final long serialVersionUID = 1L;

    static final String PATH = "/internal/replicas/";
    static final String SCHEME = AuthenticationGuard.REPLICA_SCHEME;

    /** Larger than any request that a public endpoint accepts. */
    private static final int MAX_BYTES = 16 * 1024 * 1024;

    private static final Logger log = LoggerFactory.getLogger(ReplicaEndpoint.class);

    private final transient Map<String, ReplicaService> services;
    private final transient ReplicaTokens tokens;
    private final transient ClientDisconnects disconnects;

    ReplicaEndpoint(
            List<ReplicaService> services, ReplicaTokens tokens, ClientDisconnects disconnects) {
        this.services =
                services.stream()
                        .collect(Collectors.toMap(ReplicaService::kind, Function.identity()));
        this.tokens = tokens;
        this.disconnects = disconnects;
    }

    @Override
    protected void doPost(HttpServletRequest request, HttpServletResponse response)
            throws IOException {
        Optional<String> token = token(request);
        if (token.isEmpty()) {
            refuse(response, 401, "only replicas of orlojd may come here");
            return;
        }
        String path = request.getRequestURI();
        byte[] body;
        try {
            ReplicaTokens.ExpectedBody expected = tokens.require(token.get(), "POST", path);
            body = request.getInputStream().readNBytes(MAX_BYTES + 1);
            if (body.length > MAX_BYTES) {
                refuse(response, 413, "the request has more than %d bytes".formatted(MAX_BYTES));
                return;
            }
            expected.require(body);
        } catch (ReplicaRefusedException e) {
            log.atWarn()
                    .addKeyValue("from", request.getRemoteAddr())
                    .addKeyValue("error", e.getMessage())
                    .log("A request with the token of a replica was refused");
            refuse(response, 401, e.getMessage());
            return;
        }
        ReplicaService service = services.get(path.substring(PATH.length()));
        if (service == null) {
            refuse(response, 404, "this version of orlojd does not serve it");
            return;
        }
        try {
            serve(service, (ObjectNode) Json.MAPPER.readTree(body), request, response);
        } catch (JacksonException e) {
            refuse(response, 400, "the body is no JSON");
        }
    }

    private static Optional<String> token(HttpServletRequest request) {
        return Optional.ofNullable(request.getHeader("Authorization"))
                .filter(header -> header.startsWith(SCHEME))
                .map(header -> header.substring(SCHEME.length()));
    }

    private static void refuse(HttpServletResponse response, int status, String why)
            throws IOException {
        response.setStatus(status);
        response.setContentType("text/plain;charset=UTF-8");
        response.getOutputStream().write(why.getBytes(StandardCharsets.UTF_8));
    }

    private void serve(
            ReplicaService service,
            ObjectNode body,
            HttpServletRequest request,
            HttpServletResponse response)
            throws IOException {
        response.setContentType(ReplicaStream.MEDIA_TYPE);
        response.flushBuffer();
        try {
            StreamedWork.run(
                    disconnects,
                    request,
                    Duration.ofMillis(ReplicaStream.BEAT_MILLIS),
                    lines -> outcome(service, body, line -> lines.accept(line.encode())).encode(),
                    new LineWriter(response));
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    /**
     * Writes encoded lines. Encoding first reveals how many bytes are waiting for a slow replica.
     */
    private record LineWriter(HttpServletResponse response) implements StreamedWork.Writer<byte[]> {

        @Override
        public void write(byte @Nullable [] line) throws IOException {
            byte[] said = line == null ? new ReplicaStream.Beat().encode() : line;
            response.getOutputStream().write(said);
            response.flushBuffer();
        }

        @Override
        public long bytes(byte[] line) {
            return line.length;
        }
    }

    private static ReplicaStream outcome(
            ReplicaService service, ObjectNode body, Consumer<ReplicaStream> lines) {
        try {
            return new ReplicaStream.Answer(
                    service.serve(
                            body,
                            notification -> lines.accept(new ReplicaStream.Message(notification))));
        } catch (InterruptedException e) {
            return new ReplicaStream.Failure("it broke the work off");
        } catch (RuntimeException e) { // the edge: answer the other replica whatever the failure
            String id = UUID.randomUUID().toString();
            log.atError()
                    .setCause(e)
                    .addKeyValue("errorId", id)
                    .log("Request of a replica failed unexpectedly");
            return new ReplicaStream.Failure("see its log under the id " + id);
        }
    }
}
