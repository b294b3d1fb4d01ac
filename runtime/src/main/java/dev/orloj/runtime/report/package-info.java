/** Checks of MCP servers: of the definitions of their tools, and of their sessions. */
@NullMarked
package dev.orloj.runtime.report;

import org.jspecify.annotations.NullMarked;
