package dev.orloj.controllers.httptool;

import dev.orloj.runtime.catalog.ToolEntry;
import dev.orloj.runtime.http.HttpTool;

/** The result of resolving a Tool that belongs to no MCP server. */
sealed interface DeclaredTool {

    /**
     * The Tool can be called.
     *
     * @param entry as clients see it
     */
    record Callable(HttpTool tool, ToolEntry entry) implements DeclaredTool {}

    /**
     * The Tool cannot be called.
     *
     * @param message with the remedy
     */
    record Refused(String reason, String message) implements DeclaredTool {}
}
