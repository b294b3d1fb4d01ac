package dev.orloj.server.gateway;

import dev.orloj.api.ResourceKey;
import dev.orloj.runtime.catalog.ToolCatalog;
import dev.orloj.runtime.gateway.GatewayPath;
import dev.orloj.runtime.gateway.InstallationId;

import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.ObjectNode;

import java.util.List;
import java.util.Optional;
import java.util.function.Predicate;

/**
 * Prevents requests from looping between gateways. This gateway answers what it can itself, and
 * adds the ids of all gateways behind it, so that the requesting gateway detects its own id. It
 * rejects requests that it would forward. Thread-safe.
 */
public final class GatewayLoops {

    private final InstallationId own;
    private final ToolCatalog catalog;

    public GatewayLoops(InstallationId own, ToolCatalog catalog) {
        this.own = own;
        this.catalog = catalog;
    }

    /** Returns why a request must not be forwarded to a server; empty when it may be. */
    public Optional<String> objection(List<String> passed) {
        return passed.isEmpty()
                ? Optional.empty()
                : own.find().flatMap(id -> GatewayPath.objection(passed, id));
    }

    /**
     * Adds the ids of this gateway and of those behind it.
     *
     * @param list a result of {@code tools/list}
     * @param covers selects the servers of the list
     */
    public void declare(ObjectNode list, Predicate<ResourceKey> covers) {
        own.find()
                .ifPresent(
                        id -> {
                            ArrayNode ids =
                                    list.withObjectProperty("_meta").putArray(GatewayPath.META);
                            ids.add(id);
                            catalog.gatewaysOf(covers).forEach(ids::add);
                        });
    }
}
