/** The stdio transport of MCP. */
@NullMarked
package dev.orloj.runtime.transport.stdio;

import org.jspecify.annotations.NullMarked;
