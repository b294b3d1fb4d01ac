package dev.orloj.runtime.catalog;

import static org.assertj.core.api.Assertions.assertThat;

import dev.orloj.api.ResourceKey;
import dev.orloj.api.codec.Json;
import dev.orloj.runtime.session.ServerDefinition;
import dev.orloj.runtime.testkit.Definitions;

import org.junit.jupiter.api.Test;

import java.util.Optional;

class ToolCatalogTest {

    private final ToolCatalog catalog = new ToolCatalog();

    @Test
    void toolIsFoundByBothNames() {
        ToolEntry entry = entry("github--list", "github__list");

        catalog.putTool(entry);

        assertThat(catalog.findTool(entry.tool())).containsSame(entry);
        assertThat(catalog.findByAgentName("default", "github__list")).containsSame(entry);
        assertThat(catalog.findByAgentName("other", "github__list")).isEmpty();
    }

    @Test
    void renamedToolLosesItsOldName() {
        catalog.putTool(entry("github--list", "github__list"));

        catalog.putTool(entry("github--list", "github__list_2"));

        assertThat(catalog.findByAgentName("default", "github__list")).isEmpty();
        assertThat(catalog.findByAgentName("default", "github__list_2")).isPresent();
    }

    @Test
    void nameTakenOverBySomebodyElseStaysTheirs() {
        ToolEntry first = entry("a--x", "shared");
        ToolEntry second = entry("b--x", "shared");
        catalog.putTool(first);
        catalog.putTool(second);

        catalog.removeTool(first.tool());

        assertThat(catalog.findByAgentName("default", "shared")).containsSame(second);
    }

    @Test
    void removedToolIsGoneUnderBothNames() {
        ToolEntry entry = entry("github--list", "github__list");
        catalog.putTool(entry);

        catalog.removeTool(entry.tool());
        catalog.removeTool(entry.tool());

        assertThat(catalog.findTool(entry.tool())).isEmpty();
        assertThat(catalog.findByAgentName("default", "github__list")).isEmpty();
    }

    @Test
    void newerDefinitionReplacesTheOlder() {
        ServerDefinition older = Definitions.server("github");
        ServerDefinition newer = Definitions.generation(older, 2);
        catalog.putServer(older);
        catalog.putServer(newer);

        assertThat(catalog.findServer(older.server()).orElseThrow().definition()).isSameAs(newer);

        catalog.removeServer(older.server());

        assertThat(catalog.findServer(older.server())).isEmpty();
    }

    private static ToolEntry entry(String name, String agentName) {
        return new ToolEntry(
                new ResourceKey("default", name),
                "uid-" + name,
                new ResourceKey("default", "github"),
                "list",
                agentName,
                Json.MAPPER.createObjectNode(),
                Optional.empty());
    }
}
