package dev.orloj.server.mcp.catalog;

import dev.orloj.api.ResourceKey;
import dev.orloj.runtime.catalog.ToolCatalog;
import dev.orloj.runtime.catalog.ToolEntry;
import dev.orloj.server.authorization.GrantedNames;
import dev.orloj.server.authorization.Rights;
import dev.orloj.server.mcp.protocol.EndpointScope;

/**
 * Which endpoints and servers exist for a user: those of which the user may use something. The
 * others must look like absent ones. Thread-safe.
 */
public final class Visibility {

    private final ToolCatalog catalog;

    public Visibility(ToolCatalog catalog) {
        this.catalog = catalog;
    }

    /** Returns whether the user may use anything of an endpoint, now or when it gets content. */
    public boolean showsAny(EndpointScope scope, Rights rights) {
        return !rights.dependOnUser()
                || switch (scope) {
                    case EndpointScope.Namespace(String namespace, var _) ->
                            !rights.tools(namespace).isEmpty()
                                    || !rights.servers(namespace).isEmpty();
                    case EndpointScope.Server(ResourceKey server) -> shows(server, rights);
                };
    }

    /** Returns whether the user may connect to a server, or call one of its tools. */
    public boolean shows(ResourceKey server, Rights rights) {
        if (connects(server, rights)) {
            return true;
        }
        GrantedNames tools = rights.tools(server.namespace());
        return tools.all()
                || tools.names().stream()
                        .anyMatch(
                                name ->
                                        catalog.findTool(new ResourceKey(server.namespace(), name))
                                                .map(ToolEntry::server)
                                                .filter(server::equals)
                                                .isPresent());
    }

    /** Returns whether the user may use the prompts and resources of a server. */
    public static boolean connects(ResourceKey server, Rights rights) {
        return rights.servers(server.namespace()).contains(server.name());
    }
}
