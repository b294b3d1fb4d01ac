package dev.orloj.runtime.call;

import dev.orloj.api.ResourceKey;
import dev.orloj.api.ledger.ToolNames;
import dev.orloj.runtime.catalog.ToolCatalog;

import java.util.Map;
import java.util.Optional;
import java.util.stream.Stream;

/**
 * Finds the tools that the policies of their servers withhold: the catalog does not have them. For
 * calls whose tool was not found; reads the database if a server of this name has a policy.
 * Thread-safe.
 */
public final class WithheldTools {

    /**
     * One of them.
     *
     * @param tool name that it would have, which decides who may call it
     * @param outcome of its calls
     */
    public record Withheld(ResourceKey tool, CallOutcome.DefinitionHeld outcome) {}

    /** A tool with the names that it would have. */
    private record Held(ResourceKey server, String tool, ToolNames names, String reason) {

        Withheld withheld() {
            return new Withheld(
                    new ResourceKey(server.namespace(), names.resource()),
                    CallOutcome.DefinitionHeld.of(server, "this tool is held (" + reason + ")"));
        }
    }

    private final ToolCatalog catalog;
    private final HeldTools held;

    public WithheldTools(ToolCatalog catalog, HeldTools held) {
        this.catalog = catalog;
        this.held = held;
    }

    /** Finds the tool that would have a Tool of this name. */
    public Optional<Withheld> findTool(ResourceKey tool) {
        return ToolNames.serversOf(tool.name()).stream()
                .flatMap(server -> ofServer(new ResourceKey(tool.namespace(), server)))
                .filter(each -> each.names().resource().equals(tool.name()))
                .map(Held::withheld)
                .findFirst();
    }

    /** Finds the tool that clients would see under this name in a namespace. */
    public Optional<Withheld> findByAgentName(String namespace, String agentName) {
        return ToolNames.serverOfAgentName(agentName).stream()
                .flatMap(server -> ofServer(new ResourceKey(namespace, server)))
                .filter(each -> each.names().agent().equals(agentName))
                .map(Held::withheld)
                .findFirst();
    }

    /** Finds the tool with this name at its server. */
    public Optional<Withheld> findByServerName(ResourceKey server, String mcpToolName) {
        return ofServer(server)
                .filter(each -> each.tool().equals(mcpToolName))
                .map(Held::withheld)
                .findFirst();
    }

    private Stream<Held> ofServer(ResourceKey server) {
        boolean hasPolicy =
                catalog.findServer(server)
                        .filter(entry -> entry.definition().hasToolPolicy())
                        .isPresent();
        if (!hasPolicy) {
            return Stream.empty();
        }
        String namespace = server.namespace();
        Map<String, String> reasons = held.withheld(server);
        return ToolNames.assign(
                        server.name(),
                        reasons.keySet(),
                        name -> isTaken(new ResourceKey(namespace, name)),
                        name -> catalog.findByAgentName(namespace, name).isPresent())
                .entrySet()
                .stream()
                .map(
                        each ->
                                new Held(
                                        server,
                                        each.getKey(),
                                        each.getValue(),
                                        reasons.getOrDefault(each.getKey(), "")));
    }

    private boolean isTaken(ResourceKey tool) {
        return catalog.findTool(tool).isPresent() || catalog.httpTools().find(tool).isPresent();
    }
}
