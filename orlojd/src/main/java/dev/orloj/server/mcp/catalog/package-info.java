/** The tools, prompts and resources that an MCP endpoint lists. */
@NullMarked
package dev.orloj.server.mcp.catalog;

import org.jspecify.annotations.NullMarked;
