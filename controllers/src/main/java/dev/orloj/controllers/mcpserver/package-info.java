/**
 * Keeps every McpServer connected as its manifest specifies, with one Tool for each tool it offers.
 */
@NullMarked
package dev.orloj.controllers.mcpserver;

import org.jspecify.annotations.NullMarked;
