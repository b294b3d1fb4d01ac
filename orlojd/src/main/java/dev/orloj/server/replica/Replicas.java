package dev.orloj.server.replica;

import dev.orloj.api.codec.Json;

import tools.jackson.databind.node.ObjectNode;

import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executors;
import java.util.function.Consumer;
import java.util.function.Function;

import javax.net.ssl.SSLContext;

/** Sends requests to other replicas. Thread-safe. */
public final class Replicas implements AutoCloseable {

    private static final Duration CONNECT_TIMEOUT = Duration.ofSeconds(5);

    private final Function<String, Optional<URI>> addresses;
    private final ReplicaTokens tokens;

    private final HttpClient http;

    /**
     * @param addresses looks up the address of a replica; empty for one that cannot be reached
     * @param tls for addresses with https
     */
    Replicas(Function<String, Optional<URI>> addresses, ReplicaTokens tokens, SSLContext tls) {
        this.addresses = addresses;
        this.tokens = tokens;
        // HTTP/1.1, whose connection closes when the caller abandons a request.
        this.http =
                HttpClient.newBuilder()
                        .version(HttpClient.Version.HTTP_1_1)
                        .proxy(HttpClient.Builder.NO_PROXY)
                        .sslContext(tls)
                        .connectTimeout(CONNECT_TIMEOUT)
                        .executor(Executors.newVirtualThreadPerTaskExecutor())
                        .build();
    }

    /** Returns the address of another replica; empty when it cannot be reached, or is this one. */
    public Optional<URI> find(String replica) {
        return addresses.apply(replica);
    }

    /**
     * Sends a request to a replica, once.
     *
     * @param kind {@link ReplicaService#kind}
     * @param notification receives the messages that precede the answer, on this thread
     * @return the answer
     * @throws ReplicaLostException when there is none
     * @throws InterruptedException when this thread was interrupted; the replica detects it and
     *     stops its work
     */
    public ObjectNode ask(
            String replica, String kind, ObjectNode content, Consumer<ObjectNode> notification)
            throws ReplicaLostException, InterruptedException {
        URI address =
                find(replica)
                        .orElseThrow(
                                () ->
                                        new ReplicaLostException(
                                                "the replica \"%s\" of orlojd cannot be reached from here"
                                                        .formatted(replica),
                                                false));
        ReplicaAnswer answer = new ReplicaAnswer(replica, address);
        CompletableFuture<HttpResponse<Void>> exchange =
                http.sendAsync(request(replica, address, kind, content), answer);
        try {
            exchange.whenComplete(
                    (response, failure) -> {
                        if (failure != null) {
                            answer.failed(failure);
                        }
                    });
            return answer.await(notification);
        } finally {
            exchange.cancel(true);
        }
    }

    private HttpRequest request(String replica, URI address, String kind, ObjectNode content) {
        byte[] body = Json.MAPPER.writeValueAsBytes(content);
        String base = address.toString().replaceFirst("/+$", "");
        String path = ReplicaEndpoint.PATH + kind;
        String token = tokens.sign(replica, "POST", path, body);
        return HttpRequest.newBuilder(URI.create(base + path))
                .header("Authorization", ReplicaEndpoint.SCHEME + token)
                .header("Content-Type", "application/json")
                .POST(HttpRequest.BodyPublishers.ofByteArray(body))
                .build();
    }

    @Override
    public void close() {
        http.shutdownNow();
    }
}
