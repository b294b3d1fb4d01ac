package dev.orloj.controllers.httptool;

import dev.orloj.runtime.catalog.ToolEntry;
import dev.orloj.runtime.http.HttpTool;

/** What becomes of a Tool that no MCP server answers for. */
sealed interface DeclaredTool {

    /**
     * It can be called.
     *
     * @param entry as clients see it
     */
    record Callable(HttpTool tool, ToolEntry entry) implements DeclaredTool {}

    /**
     * It cannot be called.
     *
     * @param message with the remedy
     */
    record Refused(String reason, String message) implements DeclaredTool {}
}
