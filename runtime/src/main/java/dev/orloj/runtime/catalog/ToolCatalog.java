package dev.orloj.runtime.catalog;

import dev.orloj.api.ResourceKey;
import dev.orloj.runtime.limit.CallPermits;
import dev.orloj.runtime.session.ServerDefinition;

import org.jspecify.annotations.Nullable;

import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentMap;

/**
 * The servers and tools that this process can call, as its informers last saw them. Thread-safe;
 * reads take no lock. Tools may be known before their server and after it.
 */
public final class ToolCatalog {

    private record AgentName(String namespace, String name) {}

    private final ConcurrentMap<ResourceKey, ServerEntry> servers = new ConcurrentHashMap<>();
    private final ConcurrentMap<ResourceKey, String> refusals = new ConcurrentHashMap<>();
    private final ConcurrentMap<ResourceKey, ToolEntry> tools = new ConcurrentHashMap<>();
    private final ConcurrentMap<AgentName, ToolEntry> byAgentName = new ConcurrentHashMap<>();

    /** What its calls have used up of their limits stays used up, unless the server changed. */
    public void putServer(ServerDefinition definition) {
        servers.compute(
                definition.server(),
                (key, known) ->
                        new ServerEntry(
                                definition,
                                known != null && hasSameCalls(known.definition(), definition)
                                        ? known.permits()
                                        : CallPermits.of(definition.limits())));
        refusals.remove(definition.server());
    }

    /**
     * Its tools stay known, and cannot be called.
     *
     * @param why what callers are told
     */
    public void refuseServer(ResourceKey server, String why) {
        refusals.put(server, why);
        servers.remove(server);
    }

    private static boolean hasSameCalls(ServerDefinition before, ServerDefinition after) {
        return before.key().equals(after.key()) && before.limits().equals(after.limits());
    }

    /** Its tools stay known, and cannot be called. */
    public void removeServer(ResourceKey server) {
        servers.remove(server);
        refusals.remove(server);
    }

    public synchronized void putTool(ToolEntry entry) {
        // The new name before the old one goes: a tool is never without one.
        byAgentName.put(agentName(entry), entry);
        ToolEntry before = tools.put(entry.tool(), entry);
        if (before != null && !before.agentName().equals(entry.agentName())) {
            byAgentName.remove(agentName(before), before);
        }
    }

    public synchronized void removeTool(ResourceKey tool) {
        @Nullable ToolEntry before = tools.remove(tool);
        if (before != null) {
            byAgentName.remove(agentName(before), before);
        }
    }

    public Optional<ToolEntry> findTool(ResourceKey tool) {
        return Optional.ofNullable(tools.get(tool));
    }

    public Optional<ToolEntry> findByAgentName(String namespace, String agentName) {
        return Optional.ofNullable(byAgentName.get(new AgentName(namespace, agentName)));
    }

    public Optional<ServerEntry> findServer(ResourceKey server) {
        return Optional.ofNullable(servers.get(server));
    }

    /** Why a server that is there cannot be called. */
    public Optional<String> findRefusal(ResourceKey server) {
        return Optional.ofNullable(refusals.get(server));
    }

    private static AgentName agentName(ToolEntry entry) {
        return new AgentName(entry.tool().namespace(), entry.agentName());
    }
}
