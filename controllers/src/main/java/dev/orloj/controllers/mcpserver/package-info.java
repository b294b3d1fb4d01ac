/** Keeps every McpServer connected as it asks, and one Tool for each tool that it offers. */
@NullMarked
package dev.orloj.controllers.mcpserver;

import org.jspecify.annotations.NullMarked;
