/** Connections to MCP servers: standard streams of a workload, and Streamable HTTP. */
@NullMarked
package dev.orloj.runtime.transport;

import org.jspecify.annotations.NullMarked;
