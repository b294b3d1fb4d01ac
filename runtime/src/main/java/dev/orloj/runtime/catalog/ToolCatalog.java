package dev.orloj.runtime.catalog;

import dev.orloj.api.ResourceKey;
import dev.orloj.runtime.client.ServerIdentity;
import dev.orloj.runtime.http.HttpTools;
import dev.orloj.runtime.limit.CallPermits;
import dev.orloj.runtime.session.definition.ServerDefinition;

import org.jspecify.annotations.Nullable;

import java.util.Comparator;
import java.util.HashSet;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentMap;
import java.util.concurrent.ConcurrentNavigableMap;
import java.util.concurrent.ConcurrentSkipListMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.function.Predicate;

/**
 * The servers and tools that this process can call, as reported by its informers. A tool may be
 * added before its server and may remain after it. Thread-safe; reads take no lock.
 */
public class ToolCatalog {

    /**
     * The key of a tool by its server. Two Tool resources may refer to the same tool of a server;
     * the name of the resource distinguishes them.
     */
    private record ServerName(String namespace, String server, String tool, String resource)
            implements Comparable<ServerName> {

        private static final Comparator<ServerName> ORDER =
                Comparator.comparing(ServerName::namespace)
                        .thenComparing(ServerName::server)
                        .thenComparing(ServerName::tool)
                        .thenComparing(ServerName::resource);

        static ServerName of(ToolEntry entry) {
            return new ServerName(
                    entry.server().namespace(),
                    entry.server().name(),
                    entry.mcpToolName(),
                    entry.tool().name());
        }

        @Override
        public int compareTo(ServerName other) {
            return ORDER.compare(this, other);
        }
    }

    private final ConcurrentMap<ResourceKey, ServerEntry> servers = new ConcurrentHashMap<>();
    private final ConcurrentMap<ResourceKey, Refusal> refusals = new ConcurrentHashMap<>();
    private final ConcurrentMap<ResourceKey, ToolEntry> tools = new ConcurrentHashMap<>();
    private final ConcurrentMap<ResourceKey, ServerIdentity> identities = new ConcurrentHashMap<>();
    private final AgentNames byAgentName = new AgentNames();
    private final ConcurrentNavigableMap<ServerName, ToolEntry> byServer =
            new ConcurrentSkipListMap<>();
    private final ConcurrentMap<ResourceKey, List<String>> gateways = new ConcurrentHashMap<>();
    private final HttpTools httpTools = new HttpTools();
    private final Set<ResourceKey> openToSse = ConcurrentHashMap.newKeySet();
    private final List<CatalogListener> listeners = new CopyOnWriteArrayList<>();

    /** Returns the declared HTTP tools, which have no server. */
    public HttpTools httpTools() {
        return httpTools;
    }

    /** Adds a listener for future changes. */
    public void addListener(CatalogListener listener) {
        listeners.add(listener);
    }

    /**
     * Adds or replaces a server. If the server is unchanged, the used part of its limits stays
     * used.
     */
    public void putServer(ServerDefinition definition) {
        servers.compute(
                definition.server(),
                (key, known) -> {
                    CallPermits permits =
                            known != null && hasSameCalls(known.definition(), definition)
                                    ? known.permits()
                                    : CallPermits.of(definition.limits());
                    if (known != null) {
                        known.expire();
                    }
                    return new ServerEntry(definition, permits);
                });
        refusals.remove(definition.server());
    }

    /**
     * Marks a server as not callable. Its tools stay known, but cannot be called.
     *
     * @param why the reason that clients receive
     */
    public void refuseServer(ResourceKey server, String why) {
        refuseServer(new Refusal(server, why, ""));
    }

    /** Marks a server as not callable. Its tools stay known, but cannot be called. */
    public void refuseServer(Refusal refusal) {
        refusals.put(refusal.key(), refusal);
        withdraw(refusal.key());
    }

    /** Expires the entry before this returns, so that calls that hold it see the removal. */
    private void withdraw(ResourceKey server) {
        servers.computeIfPresent(
                server,
                (_, known) -> {
                    known.expire();
                    return null;
                });
    }

    private static boolean hasSameCalls(ServerDefinition before, ServerDefinition after) {
        return before.key().equals(after.key()) && before.limits().equals(after.limits());
    }

    /** Sets whether clients may reach the server over HTTP+SSE. */
    public void openToSse(ResourceKey server, boolean isOpen) {
        if (isOpen) {
            openToSse.add(server);
        } else {
            openToSse.remove(server);
        }
    }

    public boolean isOpenToSse(ResourceKey server) {
        return openToSse.contains(server);
    }

    /** Removes a server. Its tools stay known, but cannot be called. */
    public void removeServer(ResourceKey server) {
        withdraw(server);
        refusals.remove(server);
        identities.remove(server);
        gateways.remove(server);
    }

    /** Sets the ids of the gateways that the tools of a server pass through. */
    public void putGateways(ResourceKey server, List<String> ids) {
        if (ids.isEmpty()) {
            gateways.remove(server);
        } else {
            gateways.put(server, List.copyOf(ids));
        }
    }

    /** Returns the ids of all gateways that tools of the selected servers pass through. */
    public Set<String> gatewaysOf(Predicate<ResourceKey> servers) {
        Set<String> ids = new TreeSet<>();
        gateways.forEach(
                (server, behind) -> {
                    if (servers.test(server)) {
                        ids.addAll(behind);
                    }
                });
        return ids;
    }

    /** Sets the latest identity that a server reported; the server may have no open session. */
    public void putIdentity(ResourceKey server, ServerIdentity identity) {
        identities.put(server, identity);
    }

    public Optional<ServerIdentity> findIdentity(ResourceKey server) {
        return Optional.ofNullable(identities.get(server));
    }

    public void putTool(ToolEntry entry) {
        Set<ResourceKey> changed = new HashSet<>();
        ToolEntry before = replace(entry, changed);
        if (before == null || !before.looksLike(entry)) {
            changed.add(entry.server());
        }
        if (before != null && !before.server().equals(entry.server())) {
            changed.add(before.server());
        }
        changed.forEach(this::notifyChanged);
    }

    private synchronized @Nullable ToolEntry replace(ToolEntry entry, Set<ResourceKey> changed) {
        // Adds the new name before the old one is removed, so that a tool always has a name.
        add(byAgentName.claim(entry), changed);
        byServer.put(ServerName.of(entry), entry);
        ToolEntry before = tools.put(entry.tool(), entry);
        if (before != null && !before.agentName().equals(entry.agentName())) {
            add(byAgentName.release(before), changed);
        }
        if (before != null && !ServerName.of(before).equals(ServerName.of(entry))) {
            byServer.remove(ServerName.of(before), before);
        }
        return before;
    }

    private static void add(@Nullable ToolEntry other, Set<ResourceKey> changed) {
        if (other != null) {
            changed.add(other.server());
        }
    }

    public void removeTool(ResourceKey tool) {
        Set<ResourceKey> changed = new HashSet<>();
        ToolEntry before = take(tool, changed);
        if (before != null) {
            changed.add(before.server());
        }
        changed.forEach(this::notifyChanged);
    }

    private synchronized @Nullable ToolEntry take(ResourceKey tool, Set<ResourceKey> changed) {
        ToolEntry before = tools.remove(tool);
        if (before != null) {
            add(byAgentName.release(before), changed);
            byServer.remove(ServerName.of(before), before);
        }
        return before;
    }

    /** Notifies the listeners that other prompts or resources of a server are held now. */
    public void featuresChanged(ResourceKey server) {
        listeners.forEach(listener -> listener.featuresChanged(server));
    }

    private void notifyChanged(ResourceKey server) {
        listeners.forEach(listener -> listener.toolsChanged(server));
    }

    public Optional<ToolEntry> findTool(ResourceKey tool) {
        return Optional.ofNullable(tools.get(tool));
    }

    public Optional<ToolEntry> findByAgentName(String namespace, String agentName) {
        return byAgentName.find(namespace, agentName);
    }

    /** Returns the tool with this name at its server. */
    public Optional<ToolEntry> findByServerName(ResourceKey server, String mcpToolName) {
        ServerName first = new ServerName(server.namespace(), server.name(), mcpToolName, "");
        Map.Entry<ServerName, ToolEntry> found = byServer.ceilingEntry(first);
        return found == null
                        || !found.getKey().tool().equals(mcpToolName)
                        || !found.getValue().server().equals(server)
                ? Optional.empty()
                : Optional.of(found.getValue());
    }

    /**
     * Returns the tools of a namespace, ordered by their names for clients.
     *
     * @param after returns only greater names; empty for all
     */
    public Iterable<ToolEntry> toolsOfNamespace(String namespace, String after) {
        return () -> byAgentName.ofNamespace(namespace, after);
    }

    /**
     * Returns the tools of a server, ordered by their names at the server.
     *
     * @param after returns only greater names; empty for all
     */
    public Iterable<ToolEntry> toolsOfServer(ResourceKey server, String after) {
        ServerName first =
                new ServerName(
                        server.namespace(),
                        server.name(),
                        after,
                        after.isEmpty() ? "" : Character.toString(Character.MAX_VALUE));
        return () ->
                takeWhile(byServer.tailMap(first, true), entry -> entry.server().equals(server));
    }

    private static Iterator<ToolEntry> takeWhile(
            Map<?, ToolEntry> entries, Predicate<ToolEntry> belongs) {
        return entries.values().stream().takeWhile(belongs).iterator();
    }

    /** Returns whether a namespace has tools. */
    public boolean hasTools(String namespace) {
        return byAgentName.hasAny(namespace);
    }

    /** Returns whether a server of this name exists, or existed and its tools remain. */
    public boolean knows(ResourceKey server) {
        return servers.containsKey(server)
                || refusals.containsKey(server)
                || identities.containsKey(server)
                || toolsOfServer(server, "").iterator().hasNext();
    }

    /** Returns whether a server can be called, or is known not to be callable. */
    public boolean hasServer(ResourceKey server) {
        return servers.containsKey(server) || refusals.containsKey(server);
    }

    /** Returns whether all is known that decides about a call: a tool may precede its server. */
    public boolean isComplete(ResolvedTool tool) {
        return tool.server().isPresent()
                || tool.tool().isDeclared()
                || refusals.containsKey(tool.tool().server());
    }

    /** Returns the callable servers of a namespace, ordered by name. */
    public List<ServerEntry> serversOfNamespace(String namespace) {
        return servers.values().stream()
                .filter(entry -> entry.definition().server().namespace().equals(namespace))
                .sorted(Comparator.comparing(entry -> entry.definition().server().name()))
                .toList();
    }

    public Optional<ServerEntry> findServer(ResourceKey server) {
        return Optional.ofNullable(servers.get(server));
    }

    /**
     * Returns the entry that has taken the place of this one, which is usually itself; empty when
     * the server cannot be called any more.
     */
    public Optional<ServerEntry> current(ServerEntry entry) {
        return entry.isCurrent() ? Optional.of(entry) : findServer(entry.definition().server());
    }

    /** Looks up the server of a tool. */
    public ResolvedTool resolve(ToolEntry tool) {
        return new ResolvedTool(
                tool, tool.isDeclared() ? Optional.empty() : findServer(tool.server()));
    }

    /** Returns the reason why an existing server cannot be called. */
    public Optional<Refusal> findRefusal(ResourceKey server) {
        return Optional.ofNullable(refusals.get(server));
    }
}
