/**
 * Sessions with MCP servers: opened on first use, kept open, drained when replaced, closed when
 * idle.
 */
@NullMarked
package dev.orloj.runtime.session;

import org.jspecify.annotations.NullMarked;
