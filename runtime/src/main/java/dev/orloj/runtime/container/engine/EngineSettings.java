package dev.orloj.runtime.container.engine;

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
     * @throws IllegalArgumentException when that URI names no engine
     */
    public static void requireHost(String host) {
        EngineAddress.configuration(host);
    }

    /**
     * The socket of an engine on this host, whoever named it; empty for an engine that is spoken to
     * over the network.
     *
     * @throws IllegalArgumentException when what names the engine cannot be read
     */
    public static Optional<Path> socket(String host) {
        URI engine = EngineAddress.configuration(host).getDockerHost();
        return EngineAddress.isSocket(engine)
                ? Optional.of(Path.of(engine.getPath()))
                : Optional.empty();
    }
}
