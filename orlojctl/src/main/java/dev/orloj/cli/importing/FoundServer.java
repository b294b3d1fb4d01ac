package dev.orloj.cli.importing;

import dev.orloj.cli.clientfile.ClientFile;
import dev.orloj.cli.clientfile.Section;

import java.util.Optional;

/**
 * A server in a file.
 *
 * @param origin where in the file; empty when the whole file is this one server
 */
public record FoundServer(ClientFile file, Optional<Section.Entry> origin, ConfiguredServer entry) {

    /** Returns the place for messages, such as {@code mcp.json, mcpServers.github}. */
    public String where() {
        return file.name() + origin.map(o -> ", " + o.where()).orElse("");
    }

    public int line() {
        return origin.map(o -> file.lineOf(o.name())).orElse(1);
    }
}
