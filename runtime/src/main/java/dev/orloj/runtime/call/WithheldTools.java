package dev.orloj.runtime.call;

import dev.orloj.api.ResourceKey;
import dev.orloj.api.ledger.ToolNames;
import dev.orloj.runtime.catalog.Refusal;
import dev.orloj.runtime.catalog.ToolCatalog;

import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.UnaryOperator;
import java.util.stream.Stream;

/**
 * Finds the tools that the policies of their servers withhold: the catalog does not have them. For
 * calls whose tool was not found; reads the database if a server of this name has a policy. The
 * tools of a server that is withheld as a whole are not known: every name counts as one of them.
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
    private record Held(ResourceKey server, String tool, ToolNames names, String what) {

        Withheld withheld() {
            return new Withheld(
                    new ResourceKey(server.namespace(), names.resource()),
                    CallOutcome.DefinitionHeld.of(server, what));
        }
    }

    private static final String SERVER_IS_HELD = "what runs behind this tool is held";

    private final ToolCatalog catalog;
    private final HeldTools held;

    public WithheldTools(ToolCatalog catalog, HeldTools held) {
        this.catalog = catalog;
        this.held = held;
    }

    /** Returns the outcome of the call of a tool whose server is withheld as a whole. */
    static CallOutcome.DefinitionHeld withServer(ResourceKey server) {
        return CallOutcome.DefinitionHeld.of(server, SERVER_IS_HELD);
    }

    /** Finds the tool that would have a Tool of this name. */
    public Optional<Withheld> findTool(ResourceKey tool) {
        return ToolNames.serversOf(tool.name()).stream()
                .flatMap(
                        server ->
                                ofServer(
                                        new ResourceKey(tool.namespace(), server),
                                        ToolNames.behindServer(tool.name(), server)))
                .filter(each -> each.names().resource().equals(tool.name()))
                .map(Held::withheld)
                .findFirst();
    }

    /** Finds the tool that clients would see under this name in a namespace. */
    public Optional<Withheld> findByAgentName(String namespace, String agentName) {
        return ToolNames.serverOfAgentName(agentName).stream()
                .flatMap(
                        server ->
                                ofServer(
                                        new ResourceKey(namespace, server),
                                        ToolNames.behindServer(agentName, server)))
                .filter(each -> each.names().agent().equals(agentName))
                .map(Held::withheld)
                .findFirst();
    }

    /** Finds the tool with this name at its server. */
    public Optional<Withheld> findByServerName(ResourceKey server, String mcpToolName) {
        return ofServer(server, mcpToolName)
                .filter(each -> each.tool().equals(mcpToolName))
                .map(Held::withheld)
                .findFirst();
    }

    /**
     * @param asked the name that a tool of a server that is withheld would have there
     */
    private Stream<Held> ofServer(ResourceKey server, String asked) {
        if (catalog.findRefusal(server).filter(Refusal::isWithheld).isPresent()) {
            return named(server, Set.of(asked), _ -> SERVER_IS_HELD);
        }
        boolean hasPolicy =
                catalog.findServer(server)
                        .filter(entry -> entry.definition().hasToolPolicy())
                        .isPresent();
        if (!hasPolicy) {
            return Stream.empty();
        }
        Map<String, String> reasons = held.withheld(server);
        return named(
                server,
                reasons.keySet(),
                tool -> "this tool is held (" + reasons.getOrDefault(tool, "") + ")");
    }

    private Stream<Held> named(
            ResourceKey server, Set<String> tools, UnaryOperator<String> whatIsHeld) {
        String namespace = server.namespace();
        return ToolNames.assign(
                        server.name(),
                        tools,
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
                                        whatIsHeld.apply(each.getKey())));
    }

    private boolean isTaken(ResourceKey tool) {
        return catalog.findTool(tool).isPresent() || catalog.httpTools().find(tool).isPresent();
    }
}
