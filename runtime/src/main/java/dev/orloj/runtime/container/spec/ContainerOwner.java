package dev.orloj.runtime.container.spec;

/**
 * Whom a container works for: names and labels of it are made of this.
 *
 * @param server name of the McpServer
 * @param uid of the McpServer: a later one of the same name is somebody else
 */
public record ContainerOwner(String namespace, String server, String uid) {}
