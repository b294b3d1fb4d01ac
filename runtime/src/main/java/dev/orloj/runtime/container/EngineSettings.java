package dev.orloj.runtime.container;

import com.github.dockerjava.api.exception.DockerClientException;

import java.net.URI;
import java.nio.file.Path;
import java.util.Optional;

/**
 * Where the engine is, and who asks.
 *
 * @param host URI of its socket, {@code unix:///var/run/docker.sock} or {@code tcp://host:2376};
 *     empty for what {@code DOCKER_HOST}, the Docker context or the default of Docker say
 * @param replica the orlojd that containers belong to, the same after a restart
 */
public record EngineSettings(String host, String replica) {

    /**
     * The socket of an engine on this host, whoever named it; empty for an engine that is spoken to
     * over the network.
     *
     * @throws IllegalArgumentException when what names the engine cannot be read
     */
    public static Optional<Path> socket(String host) {
        try {
            URI engine = EngineConnection.config(host).getDockerHost();
            return "unix".equals(engine.getScheme())
                    ? Optional.of(Path.of(engine.getPath()))
                    : Optional.empty();
        } catch (DockerClientException e) {
            throw new IllegalArgumentException(
                    "--container-host, DOCKER_HOST or the Docker context cannot be read: "
                            + e.getMessage(),
                    e);
        }
    }
}
