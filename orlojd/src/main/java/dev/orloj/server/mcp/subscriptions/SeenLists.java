package dev.orloj.server.mcp.subscriptions;

import com.google.errorprone.annotations.concurrent.GuardedBy;

import dev.orloj.api.ResourceKey;
import dev.orloj.runtime.catalog.ToolCatalog;
import dev.orloj.runtime.catalog.ToolEntry;
import dev.orloj.server.authorization.GrantedNames;
import dev.orloj.server.authorization.Rights;
import dev.orloj.server.mcp.catalog.Visibility;
import dev.orloj.server.mcp.protocol.EndpointScope;
import dev.orloj.server.mcp.protocol.ListKind;

import java.util.EnumSet;
import java.util.HashMap;
import java.util.Map;
import java.util.Set;

/**
 * What a user sees in the lists of an endpoint, to separate the changes that concern the user from
 * those that the user must not notice. Thread-safe.
 */
final class SeenLists {

    /**
     * @param tools only of a user who may call single ones; empty when all may be called
     * @param any whether the user sees anything
     */
    private record Seen(
            boolean allTools, Map<String, ToolEntry> tools, GrantedNames servers, boolean any) {

        boolean hasSameTools(Seen other) {
            return allTools == other.allTools
                    && tools.keySet().equals(other.tools.keySet())
                    && tools.entrySet().stream()
                            .allMatch(
                                    each ->
                                            each.getValue()
                                                    .looksLike(
                                                            other.tools.getOrDefault(
                                                                    each.getKey(),
                                                                    each.getValue())));
        }
    }

    private final ToolCatalog catalog;
    private final Visibility visibility;
    private final EndpointScope scope;
    private final Rights rights;

    @GuardedBy("this")
    private Seen last;

    @GuardedBy("this")
    private boolean hadAny;

    SeenLists(ToolCatalog catalog, EndpointScope scope, Rights rights) {
        this.catalog = catalog;
        this.visibility = new Visibility(catalog);
        this.scope = scope;
        this.rights = rights;
        this.last = now();
    }

    private Seen now() {
        GrantedNames granted = rights.tools(scope.namespace());
        Map<String, ToolEntry> tools = new HashMap<>();
        for (String name : granted.names()) {
            catalog.findTool(new ResourceKey(scope.namespace(), name))
                    .filter(tool -> scope.covers(tool.server()))
                    .ifPresent(tool -> tools.put(name, tool));
        }
        return new Seen(granted.all(), tools, servers(), visibility.showsAny(scope, rights));
    }

    private GrantedNames servers() {
        return switch (scope) {
            case EndpointScope.Namespace(String namespace, var _) -> rights.servers(namespace);
            case EndpointScope.Server(ResourceKey server) ->
                    Visibility.connects(server, rights) ? GrantedNames.ALL : GrantedNames.NONE;
        };
    }

    /**
     * Compares with the last time.
     *
     * @param changed gets the lists that look different
     * @return whether the user sees nothing any more
     */
    synchronized boolean update(Set<ListKind> changed) {
        Seen before = last;
        last = now();
        if (!before.hasSameTools(last)) {
            changed.add(ListKind.TOOLS);
        }
        if (!before.servers().equals(last.servers())) {
            changed.addAll(EnumSet.of(ListKind.PROMPTS, ListKind.RESOURCES));
        }
        hadAny |= before.any() || last.any();
        return hadAny && !last.any();
    }

    /** Returns whether the change of a list of a server concerns the user. */
    boolean contain(ListKind list, ResourceKey server) {
        if (list != ListKind.TOOLS) {
            return Visibility.connects(server, rights);
        }
        Set<ListKind> changed = EnumSet.noneOf(ListKind.class);
        if (rights.tools(server.namespace()).all()) {
            return true;
        }
        update(changed);
        return changed.contains(ListKind.TOOLS);
    }
}
