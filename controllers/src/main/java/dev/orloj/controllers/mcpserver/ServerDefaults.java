package dev.orloj.controllers.mcpserver;

import dev.orloj.controllers.sandbox.ContainerPolicy;

import java.time.Duration;

/**
 * What holds for every server that says nothing else.
 *
 * @param startupTimeout how long a server may take to answer {@code initialize}
 * @param shutdownGrace how long a process may take to end, before and after SIGTERM
 * @param containers what containers may do
 */
public record ServerDefaults(
        Duration startupTimeout, Duration shutdownGrace, ContainerPolicy containers) {}
