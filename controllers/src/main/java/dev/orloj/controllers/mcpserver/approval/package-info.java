/**
 * Decides which definitions of a tool list are served, by the {@code tool_policy} of its server.
 */
@NullMarked
package dev.orloj.controllers.mcpserver.approval;

import org.jspecify.annotations.NullMarked;
