package dev.orloj.runtime.container.spec;

/**
 * The server that a container belongs to; the source of names and labels.
 *
 * @param server name of the McpServer
 * @param uid uid of the McpServer: a later one with the same name is another owner
 */
public record ContainerOwner(String namespace, String server, String uid) {}
