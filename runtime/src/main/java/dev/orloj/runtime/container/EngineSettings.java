package dev.orloj.runtime.container;

/**
 * Where the engine is, and who asks.
 *
 * @param host URI of its socket, {@code unix:///var/run/docker.sock} or {@code tcp://host:2376};
 *     empty for what {@code DOCKER_HOST}, the Docker context or the default of Docker say
 * @param replica the orlojd that containers belong to, the same after a restart
 */
public record EngineSettings(String host, String replica) {}
