package dev.orloj.runtime.container.engine;

import java.net.URI;
import java.nio.file.Path;
import java.util.Optional;

/**
 * Settings of the connection to the engine.
 *
 * @param host URI of the engine's socket, {@code unix:///var/run/docker.sock} or {@code
 *     tcp://host:2376}; if empty, {@code DOCKER_HOST}, the Docker context or Docker's default
 *     applies
 * @param replica the orlojd that containers belong to, unchanged after a restart
 */
public record EngineSettings(String host, String replica) {

    /**
     * @throws IllegalArgumentException when the URI is not the address of an engine
     */
    public static void requireHost(String host) {
        EngineAddress.configuration(host);
    }

    /**
     * Returns the socket of an engine on this host, regardless of which setting names it; empty for
     * an engine that is reached over the network.
     *
     * @throws IllegalArgumentException when the setting that names the engine cannot be read
     */
    public static Optional<Path> socket(String host) {
        URI engine = EngineAddress.configuration(host).getDockerHost();
        return EngineAddress.isSocket(engine)
                ? Optional.of(Path.of(engine.getPath()))
                : Optional.empty();
    }
}
