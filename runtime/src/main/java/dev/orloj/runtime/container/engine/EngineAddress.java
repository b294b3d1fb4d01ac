package dev.orloj.runtime.container.engine;

import com.github.dockerjava.api.exception.DockerClientException;
import com.github.dockerjava.core.DefaultDockerClientConfig;
import com.github.dockerjava.core.DockerClientConfig;

import java.net.URI;

/**
 * Determines the address of the engine from the command-line flag or from the settings that
 * Docker's own programs use.
 */
final class EngineAddress {

    private EngineAddress() {}

    /**
     * @param wanted URI of the engine, or empty for the usual locations
     * @throws IllegalArgumentException when the URI cannot be an engine, with the URI and its
     *     origin
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

    /**
     * Checks the URI here because the client library would fail late and without naming what is
     * missing.
     */
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
