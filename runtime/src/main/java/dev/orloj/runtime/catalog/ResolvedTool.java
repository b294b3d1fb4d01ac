package dev.orloj.runtime.catalog;

import java.util.Optional;

/**
 * A tool and its server, which a call looks up once.
 *
 * @param server empty for a declared tool, and when the server cannot be called
 */
public record ResolvedTool(ToolEntry tool, Optional<ServerEntry> server) {}
