/** The HTTP transports of MCP: Streamable HTTP and the older HTTP+SSE. */
@NullMarked
package dev.orloj.runtime.transport.http;

import org.jspecify.annotations.NullMarked;
