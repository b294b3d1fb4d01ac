/** The verbs below {@code orlojctl mcp}: one line to add, show, run and remove a server. */
@NullMarked
package dev.orloj.cli.mcpserver;

import org.jspecify.annotations.NullMarked;
