/** Sessions with MCP servers: opened once, kept warm, drained when replaced, reaped when idle. */
@NullMarked
package dev.orloj.runtime.session;

import org.jspecify.annotations.NullMarked;
