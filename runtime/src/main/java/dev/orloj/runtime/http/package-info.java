/** Declared tools, which are called at their own HTTP endpoints without an MCP server. */
@NullMarked
package dev.orloj.runtime.http;

import org.jspecify.annotations.NullMarked;
