package dev.orloj.runtime.catalog;

import dev.orloj.api.ResourceKey;

import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

import java.util.HashMap;
import java.util.Iterator;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentNavigableMap;
import java.util.concurrent.ConcurrentSkipListMap;

/**
 * The tools by the names that clients see. When several Tools of a namespace claim one name, the
 * oldest has it on every replica, and the next one gets it when that Tool is removed. Reads take no
 * lock; writes need the lock of the catalogue.
 */
final class AgentNames {

    private static final Logger log = LoggerFactory.getLogger(AgentNames.class);

    /** Ordered as in lists. */
    private record AgentName(String namespace, String name) implements Comparable<AgentName> {

        static AgentName of(ToolEntry entry) {
            return new AgentName(entry.tool().namespace(), entry.agentName());
        }

        @Override
        public int compareTo(AgentName other) {
            int byNamespace = namespace.compareTo(other.namespace);
            return byNamespace != 0 ? byNamespace : name.compareTo(other.name);
        }
    }

    private final ConcurrentNavigableMap<AgentName, ToolEntry> holders =
            new ConcurrentSkipListMap<>();

    /** The tools that claim a name that another tool has. */
    private final Map<AgentName, Map<ResourceKey, ToolEntry>> waiting = new HashMap<>();

    Optional<ToolEntry> find(String namespace, String name) {
        return Optional.ofNullable(holders.get(new AgentName(namespace, name)));
    }

    /**
     * Returns the tools of a namespace, ordered by name.
     *
     * @param after returns only greater names; empty for all
     */
    Iterator<ToolEntry> ofNamespace(String namespace, String after) {
        return holders.tailMap(new AgentName(namespace, after), false).values().stream()
                .takeWhile(entry -> entry.tool().namespace().equals(namespace))
                .iterator();
    }

    boolean hasAny(String namespace) {
        AgentName next = holders.ceilingKey(new AgentName(namespace, ""));
        return next != null && next.namespace().equals(namespace);
    }

    /**
     * Claims the name of a new or changed tool.
     *
     * @return the other tool, if it had the name before or has it now
     */
    @Nullable ToolEntry claim(ToolEntry entry) {
        AgentName name = AgentName.of(entry);
        if (holders.putIfAbsent(name, entry) == null) {
            return null;
        }
        Map<ResourceKey, ToolEntry> all = claimants(name);
        boolean isNew = all.put(entry.tool(), entry) == null;
        ToolEntry before = holders.get(name);
        ToolEntry now = settle(name, all);
        if (isNew) {
            log.atWarn()
                    .addKeyValue("namespace", name.namespace())
                    .addKeyValue("name", name.name())
                    .addKeyValue("shown", now == null ? "" : now.tool().name())
                    .addKeyValue("tool", entry.tool().name())
                    .log("Several Tools have the same agent_name; clients see the oldest");
        }
        return other(entry, before, now);
    }

    /**
     * Gives up the name of a tool.
     *
     * @return the other tool, if it has the name now
     */
    @Nullable ToolEntry release(ToolEntry entry) {
        AgentName name = AgentName.of(entry);
        Map<ResourceKey, ToolEntry> all = claimants(name);
        all.remove(entry.tool());
        ToolEntry before = holders.get(name);
        return other(entry, before, settle(name, all));
    }

    private Map<ResourceKey, ToolEntry> claimants(AgentName name) {
        Map<ResourceKey, ToolEntry> all = new HashMap<>(waiting.getOrDefault(name, Map.of()));
        ToolEntry holder = holders.get(name);
        if (holder != null) {
            all.put(holder.tool(), holder);
        }
        return all;
    }

    /** Gives the name to the oldest tool; returns that. */
    private @Nullable ToolEntry settle(AgentName name, Map<ResourceKey, ToolEntry> all) {
        ToolEntry oldest = all.values().stream().min(ToolEntry.OLDEST_FIRST).orElse(null);
        if (oldest == null) {
            holders.remove(name);
        } else {
            holders.put(name, oldest);
            all.remove(oldest.tool());
        }
        if (all.isEmpty()) {
            waiting.remove(name);
        } else {
            waiting.put(name, all);
        }
        return oldest;
    }

    private static @Nullable ToolEntry other(
            ToolEntry entry, @Nullable ToolEntry before, @Nullable ToolEntry now) {
        if (before == null || now == null || before.tool().equals(now.tool())) {
            return null;
        }
        return before.tool().equals(entry.tool()) ? now : before;
    }
}
