package dev.orloj.runtime.testkit;

import dev.orloj.api.ResourceKey;
import dev.orloj.runtime.catalog.ServerEntry;
import dev.orloj.runtime.catalog.ToolCatalog;
import dev.orloj.runtime.catalog.ToolEntry;

import java.util.List;
import java.util.Optional;
import java.util.concurrent.CopyOnWriteArrayList;

/** A catalogue that records each look-up of a tool or a server. */
public final class CountingCatalog extends ToolCatalog {

    private final List<ResourceKey> tools = new CopyOnWriteArrayList<>();
    private final List<ResourceKey> servers = new CopyOnWriteArrayList<>();

    /** Forgets the look-ups so far. */
    public void reset() {
        tools.clear();
        servers.clear();
    }

    /** The tools that were looked up, once for each time. */
    public List<ResourceKey> tools() {
        return List.copyOf(tools);
    }

    /** The servers that were looked up, once for each time. */
    public List<ResourceKey> servers() {
        return List.copyOf(servers);
    }

    @Override
    public Optional<ToolEntry> findTool(ResourceKey tool) {
        return found(super.findTool(tool));
    }

    @Override
    public Optional<ToolEntry> findByAgentName(String namespace, String agentName) {
        return found(super.findByAgentName(namespace, agentName));
    }

    @Override
    public Optional<ToolEntry> findByServerName(ResourceKey server, String mcpToolName) {
        return found(super.findByServerName(server, mcpToolName));
    }

    private Optional<ToolEntry> found(Optional<ToolEntry> entry) {
        entry.ifPresent(known -> tools.add(known.tool()));
        return entry;
    }

    @Override
    public Optional<ServerEntry> findServer(ResourceKey server) {
        servers.add(server);
        return super.findServer(server);
    }
}
