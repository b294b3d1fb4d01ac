/** Lists, names, and plans the Tools of an McpServer. */
@NullMarked
package dev.orloj.controllers.mcpserver.tools;

import org.jspecify.annotations.NullMarked;
