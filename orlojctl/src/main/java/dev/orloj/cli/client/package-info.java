/** MCP clients: their configuration, and the stdio bridge that they start. */
@NullMarked
package dev.orloj.cli.client;

import org.jspecify.annotations.NullMarked;
