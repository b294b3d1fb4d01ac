package dev.orloj.runtime.container.engine;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.json.JsonMapper;
import com.github.dockerjava.api.DockerClient;
import com.github.dockerjava.api.exception.DockerException;
import com.github.dockerjava.core.DockerClientConfig;
import com.github.dockerjava.core.DockerClientImpl;
import com.github.dockerjava.zerodep.ZerodepDockerHttpClient;
import com.google.errorprone.annotations.concurrent.GuardedBy;

import dev.orloj.runtime.container.spec.EngineUnavailableException;
import dev.orloj.runtime.workload.WorkloadException;

import org.jspecify.annotations.Nullable;

import java.io.IOException;
import java.net.URI;
import java.time.Duration;
import java.util.Objects;
import java.util.function.Consumer;
import java.util.function.Function;

/**
 * Connects to the engine on first use, since orlojd also runs without an engine. Errors name the
 * engine and the remedy. Thread-safe.
 */
public final class EngineConnection implements AutoCloseable {

    private static final int MAX_CONNECTIONS = 10_000;
    private static final Duration CONNECT_TIMEOUT = Duration.ofSeconds(5);
    private static final JsonMapper JSON = JsonMapper.builder().build();

    private final String wantedHost;

    @GuardedBy("this")
    private @Nullable DockerClient client;

    private volatile @Nullable URI host;
    private volatile @Nullable EngineFacts facts;

    /**
     * @param wantedHost empty for the usual locations
     */
    public EngineConnection(String wantedHost) {
        this.wantedHost = wantedHost;
    }

    /**
     * Sends a request to the engine.
     *
     * @param what the request, as the end of a sentence: {@code "create a container"}
     * @throws DockerException when the engine refuses the request
     * @throws WorkloadException when the engine cannot be reached
     */
    public <T> T call(String what, Function<DockerClient, T> request) {
        try {
            return request.apply(client());
        } catch (DockerException | WorkloadException e) {
            throw e;
        } catch (RuntimeException e) {
            throw unreachable(what, e);
        }
    }

    /** Sends a request as {@link #call} does, without a result. */
    public void run(String what, Consumer<DockerClient> request) {
        call(
                what,
                client -> {
                    request.accept(client);
                    return true;
                });
    }

    /** {@code Docker engine at unix:///var/run/docker.sock}. */
    public String name() {
        URI known = host;
        return "Docker engine at " + (known == null ? wantedHost : known);
    }

    /** Returns whether the engine accesses the files of this host. */
    public boolean isLocal() {
        client();
        return EngineAddress.isSocket(Objects.requireNonNull(host));
    }

    /** Returns the properties of the engine that apply to all its containers; requested once. */
    public EngineFacts facts() {
        EngineFacts known = facts;
        if (known == null) {
            known =
                    call(
                            "describe itself",
                            client ->
                                    EngineFacts.of(
                                            client.infoCmd().exec(), client.versionCmd().exec()));
            facts = known;
        }
        return known;
    }

    /** Returns the reason that the engine gave for its refusal. */
    public static String reason(DockerException refusal) {
        String text = Objects.requireNonNullElse(refusal.getMessage(), "");
        try {
            JsonNode answer = JSON.readTree(text.substring(Math.max(0, text.indexOf('{'))));
            return answer.path("message").asText(text).strip();
        } catch (IOException e) {
            return text.strip();
        }
    }

    /**
     * Returns the message without the address: the client library shows every socket as a TCP port
     * that is not in use.
     */
    private static String reason(Throwable cause) {
        return String.valueOf(cause.getMessage()).replace("localhost:2375", "it");
    }

    public WorkloadException unreachable(String what, RuntimeException failure) {
        Throwable cause = failure;
        while (cause.getCause() != null) {
            cause = cause.getCause();
        }
        return new EngineUnavailableException(
                "%s cannot be asked to %s: %s; start it, let the user of orlojd use its socket, or name another engine with --container-host"
                        .formatted(name(), what, reason(cause)),
                failure);
    }

    @Override
    public synchronized void close() {
        if (client != null) {
            try {
                client.close();
            } catch (IOException e) {
                // The connection is not used any more.
            }
        }
    }

    private synchronized DockerClient client() {
        DockerClient known = client;
        if (known == null) {
            DockerClientConfig config = configuration();
            host = config.getDockerHost();
            known =
                    DockerClientImpl.getInstance(
                            config,
                            new ZerodepDockerHttpClient.Builder()
                                    .dockerHost(config.getDockerHost())
                                    .sslConfig(config.getSSLConfig())
                                    .maxConnections(MAX_CONNECTIONS)
                                    .connectionTimeout(CONNECT_TIMEOUT)
                                    .build());
            client = known;
        }
        return known;
    }

    private DockerClientConfig configuration() {
        try {
            return EngineAddress.configuration(wantedHost);
        } catch (IllegalArgumentException e) {
            throw new EngineUnavailableException(String.valueOf(e.getMessage()), e);
        }
    }
}
