package dev.orloj.runtime.catalog;

import static org.assertj.core.api.Assertions.assertThat;

import dev.orloj.api.ResourceKey;
import dev.orloj.api.codec.Json;
import dev.orloj.runtime.session.definition.ServerDefinition;
import dev.orloj.runtime.testkit.Definitions;

import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

class ToolCatalogTest {

    private static final ResourceKey GITHUB = new ResourceKey("default", "github");

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
    void nameTakenOverByAnotherServerStaysItsOwn() {
        ToolEntry first = entry("a--x", "shared");
        ToolEntry second = entry("b--x", "shared");
        catalog.putTool(first);
        catalog.putTool(second);

        catalog.removeTool(first.tool());

        assertThat(catalog.findByAgentName("default", "shared")).containsSame(second);
    }

    @Test
    @DisplayName("Of two Tools with one agent_name the older has it, whichever comes first")
    void olderToolKeepsItsName() {
        ToolEntry older = created("z--x", "shared", 1);
        ToolEntry younger = created("a--x", "shared", 2);

        catalog.putTool(older);
        catalog.putTool(younger);
        assertThat(catalog.findByAgentName("default", "shared")).containsSame(older);

        catalog.removeTool(older.tool());
        assertThat(catalog.findByAgentName("default", "shared")).containsSame(younger);

        catalog.putTool(older);
        assertThat(catalog.findByAgentName("default", "shared")).containsSame(older);
        assertThat(catalog.toolsOfNamespace("default", "")).containsExactly(older);
        assertThat(catalog.findTool(younger.tool())).as("by its resource").containsSame(younger);
    }

    @Test
    void toolThatWaitsForANameGetsItWhenTheOtherIsRenamed() {
        ToolEntry older = created("a--x", "shared", 1);
        ToolEntry younger = created("b--x", "shared", 2);
        catalog.putTool(older);
        catalog.putTool(younger);

        catalog.putTool(created("a--x", "other", 1));

        assertThat(catalog.findByAgentName("default", "shared")).containsSame(younger);
        assertThat(catalog.findByAgentName("default", "other")).isPresent();
    }

    @Test
    void toolThatGaveUpWaitingDoesNotGetTheName() {
        ToolEntry older = created("a--x", "shared", 1);
        ToolEntry younger = created("b--x", "shared", 2);
        catalog.putTool(older);
        catalog.putTool(younger);

        catalog.removeTool(younger.tool());
        catalog.removeTool(older.tool());

        assertThat(catalog.findByAgentName("default", "shared")).isEmpty();
        assertThat(catalog.hasTools("default")).isFalse();
    }

    @Test
    void serverOfAToolThatGetsANameIsReportedAsChanged() {
        ToolEntry older = created("a--x", "shared", 1);
        ToolEntry younger = of("other", created("b--x", "shared", 2));
        catalog.putTool(older);
        catalog.putTool(younger);
        List<ResourceKey> reported = new ArrayList<>();
        catalog.addListener(reported::add);

        catalog.removeTool(older.tool());

        assertThat(reported).containsExactlyInAnyOrder(older.server(), younger.server());
    }

    private static ToolEntry created(String name, String agentName, long second) {
        ToolEntry entry = entry(name, agentName);
        return copy(entry, entry.server(), Instant.ofEpochSecond(second));
    }

    private static ToolEntry of(String server, ToolEntry entry) {
        return copy(entry, new ResourceKey("default", server), entry.createdAt());
    }

    private static ToolEntry copy(ToolEntry entry, ResourceKey server, Instant createdAt) {
        return new ToolEntry(
                entry.tool(),
                entry.toolUid(),
                server,
                entry.mcpToolName(),
                entry.agentName(),
                entry.inputSchema(),
                entry.timeout(),
                entry.output(),
                entry.definition(),
                entry.mirrored(),
                createdAt);
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

    @Test
    void anEntryLeadsToTheOneThatReplacedIt() {
        ServerDefinition older = Definitions.server("github");
        catalog.putServer(older);
        ServerEntry held = catalog.findServer(older.server()).orElseThrow();

        assertThat(catalog.current(held)).containsSame(held);

        ServerDefinition newer = Definitions.generation(older, 2);
        catalog.putServer(newer);

        assertThat(catalog.current(held).orElseThrow().definition()).isSameAs(newer);
    }

    @Test
    void anEntryOfARemovedOrRefusedServerLeadsNowhere() {
        ServerDefinition server = Definitions.server("github");
        catalog.putServer(server);
        ServerEntry removed = catalog.findServer(server.server()).orElseThrow();
        catalog.removeServer(server.server());

        assertThat(catalog.current(removed)).isEmpty();

        catalog.putServer(server);
        ServerEntry refused = catalog.findServer(server.server()).orElseThrow();
        catalog.refuseServer(server.server(), "is suspended");

        assertThat(catalog.current(refused)).isEmpty();
    }

    @Test
    void listsAreInTheOrderOfTheirNamesAndGoOnAfterAny() {
        catalog.putTool(entry("github--b", "github__b"));
        catalog.putTool(entry("github--a", "github__a"));
        catalog.putTool(entry("github--c", "github__c"));
        catalog.putTool(entry("elsewhere", "github--d", "github__d"));

        assertThat(catalog.toolsOfNamespace("default", ""))
                .extracting(ToolEntry::agentName)
                .containsExactly("github__a", "github__b", "github__c");
        assertThat(catalog.toolsOfNamespace("default", "github__a"))
                .extracting(ToolEntry::agentName)
                .containsExactly("github__b", "github__c");
        assertThat(catalog.toolsOfServer(GITHUB, "b"))
                .extracting(ToolEntry::mcpToolName)
                .containsExactly("c");
        assertThat(catalog.findByServerName(GITHUB, "b"))
                .map(ToolEntry::agentName)
                .contains("github__b");
        assertThat(catalog.findByServerName(GITHUB, "bb")).isEmpty();
    }

    @Test
    void onlyWhatAListShowsIsReportedAsAChange() {
        List<ResourceKey> reported = new ArrayList<>();
        catalog.addListener(reported::add);
        ToolEntry entry = entry("github--list", "github__list");

        catalog.putTool(entry);
        catalog.putTool(entry("github--list", "github__list"));
        assertThat(reported).containsExactly(GITHUB);

        catalog.putTool(entry("github--list", "renamed"));
        assertThat(reported).containsExactly(GITHUB, GITHUB);

        catalog.removeTool(entry.tool());
        catalog.removeTool(entry.tool());
        assertThat(reported).containsExactly(GITHUB, GITHUB, GITHUB);
    }

    @Test
    void serverIsKnownWhileAnythingOfItIsThere() {
        assertThat(catalog.knows(GITHUB)).isFalse();

        catalog.putTool(entry("github--list", "github__list"));
        assertThat(catalog.knows(GITHUB)).isTrue();

        catalog.removeTool(new ResourceKey("default", "github--list"));
        catalog.refuseServer(GITHUB, "is suspended");
        assertThat(catalog.knows(GITHUB)).isTrue();

        catalog.removeServer(GITHUB);
        assertThat(catalog.knows(GITHUB)).isFalse();
    }

    private static ToolEntry entry(String name, String agentName) {
        return entry("default", name, agentName);
    }

    private static ToolEntry entry(String namespace, String name, String agentName) {
        return new ToolEntry(
                new ResourceKey(namespace, name),
                "uid-" + name,
                new ResourceKey(namespace, "github"),
                name.substring(name.indexOf("--") + 2),
                agentName,
                Json.MAPPER.createObjectNode(),
                Optional.empty());
    }
}
