/** The subresources of McpServers, Sandboxes and Pods: logs, sessions, features, restart. */
@NullMarked
package dev.orloj.server.rest.server;

import org.jspecify.annotations.NullMarked;
