package dev.orloj.runtime.container.engine;

import com.github.dockerjava.api.exception.DockerClientException;
import com.github.dockerjava.core.DefaultDockerClientConfig;
import com.github.dockerjava.core.DockerClientConfig;

import java.net.URI;

/** Where an engine is, from the flag or from what Docker's own programs look at. */
final class EngineAddress {

    private EngineAddress() {}

    /**
     * @param wanted URI of the engine, or empty for the usual places
     * @throws IllegalArgumentException naming what cannot be an engine, and who says so
     */
    static DockerClientConfig configuration(String wanted) {
        DockerClientConfig configuration = read(wanted);
        if (!isComplete(configuration.getDockerHost())) {
            throw new IllegalArgumentException(
                    "%s \"%s\" names no engine; give unix:///PATH/OF/SOCKET or tcp://HOST:PORT"
                            .formatted(
                                    wanted.isEmpty()
                                            ? "DOCKER_HOST or the Docker context"
                                            : "--container-host",
                                    configuration.getDockerHost()));
        }
        return configuration;
    }

    private static DockerClientConfig read(String wanted) {
        try {
            DefaultDockerClientConfig.Builder builder =
                    DefaultDockerClientConfig.createDefaultConfigBuilder();
            if (!wanted.isEmpty()) {
                builder.withDockerHost(wanted);
            }
            return builder.build();
        } catch (DockerClientException | IllegalArgumentException e) {
            throw new IllegalArgumentException(
                    "--container-host, DOCKER_HOST or the Docker context cannot be read: "
                            + e.getMessage(),
                    e);
        }
    }

    /** The client library would fail late, and without a word of what is missing. */
    private static boolean isComplete(URI engine) {
        return switch (engine.getScheme()) {
            case "unix", "npipe" -> engine.getHost() == null && hasPath(engine);
            case "tcp" -> engine.getHost() != null;
            case null, default -> false;
        };
    }

    private static boolean hasPath(URI engine) {
        return engine.getPath() != null && engine.getPath().length() > 1;
    }

    static boolean isSocket(URI engine) {
        return "unix".equals(engine.getScheme());
    }
}
