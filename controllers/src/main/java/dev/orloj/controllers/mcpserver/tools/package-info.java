/** The Tools of an McpServer: listing, naming, planning. */
@NullMarked
package dev.orloj.controllers.mcpserver.tools;

import org.jspecify.annotations.NullMarked;
