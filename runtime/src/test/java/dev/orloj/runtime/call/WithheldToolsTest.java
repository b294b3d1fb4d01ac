package dev.orloj.runtime.call;

import static org.assertj.core.api.Assertions.assertThat;

import dev.orloj.api.ResourceKey;
import dev.orloj.api.codec.Json;
import dev.orloj.runtime.catalog.Refusal;
import dev.orloj.runtime.catalog.ToolCatalog;
import dev.orloj.runtime.catalog.ToolEntry;
import dev.orloj.runtime.observation.CallRecord;
import dev.orloj.runtime.result.KeptResults;
import dev.orloj.runtime.result.ResultLimiter;
import dev.orloj.runtime.session.SessionManager;
import dev.orloj.runtime.session.definition.ServerDefinition;
import dev.orloj.runtime.session.definition.SessionSettings;
import dev.orloj.runtime.testkit.Definitions;
import dev.orloj.runtime.testkit.FakeTransports;
import dev.orloj.runtime.testkit.ManualScheduler;
import dev.orloj.runtime.testkit.RecordedSessions;

import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.concurrent.CopyOnWriteArrayList;

/** Calls of tools that the policy of their server withholds. */
class WithheldToolsTest {

    private static final ServerDefinition SERVER =
            Definitions.withToolPolicy(Definitions.server("git--hub"));
    private static final ResourceKey GITHUB = SERVER.server();

    private final FakeTransports transports = new FakeTransports();
    private final ManualScheduler clock = new ManualScheduler();
    private final ToolCatalog catalog = new ToolCatalog();
    private final SessionManager sessions =
            new SessionManager(
                    transports,
                    new RecordedSessions(),
                    clock,
                    () -> 0L,
                    SessionSettings.withVersion("1.2.3"));
    private final Map<String, String> held = new TreeMap<>();
    private final List<ResourceKey> lookups = new CopyOnWriteArrayList<>();
    private final List<CallRecord> records = new CopyOnWriteArrayList<>();
    private final WithheldTools withheld =
            new WithheldTools(
                    catalog,
                    server -> {
                        lookups.add(server);
                        return held;
                    });
    private final ToolCaller caller =
            new ToolCaller(
                    catalog,
                    new ServerExchange(catalog, sessions, OtherReplicas.NONE),
                    Optional.empty(),
                    new ResultLimiter(new KeptResults(clock)),
                    records::add,
                    clock,
                    withheld);

    @BeforeEach
    void start() {
        catalog.putServer(SERVER);
        held.put("Create.Issue", "changed: breaking");
    }

    @AfterEach
    void leaveNothing() {
        sessions.close();
        assertThat(transports.open()).isEmpty();
    }

    @Test
    void callOfAWithheldToolHasTheReason() throws Exception {
        CallOutcome outcome = call("git--hub--create.issue");

        assertThat(outcome).isInstanceOf(CallOutcome.DefinitionHeld.class);
        assertThat(((CallOutcome.DefinitionHeld) outcome).why())
                .contains(
                        "this tool is held (changed: breaking)",
                        "\"git--hub\"",
                        "orlojctl tools pending mcp/git--hub -n default");
        assertThat(records).extracting(CallRecord::outcome).containsExactly("DefinitionHeld");
        assertThat(transports.made()).isEmpty();
    }

    @Test
    void withheldToolHasTheNamesThatItsToolWouldHave() {
        ResourceKey tool = new ResourceKey("default", "git--hub--create.issue");

        assertThat(withheld.findByAgentName("default", "git--hub__Create_Issue"))
                .map(WithheldTools.Withheld::tool)
                .contains(tool);
        assertThat(withheld.findByServerName(GITHUB, "Create.Issue"))
                .map(WithheldTools.Withheld::tool)
                .contains(tool);
        assertThat(withheld.findByServerName(GITHUB, "create.issue")).isEmpty();
        assertThat(withheld.findByAgentName("other", "git--hub__Create_Issue")).isEmpty();
    }

    @Test
    void withheldToolDoesNotTakeTheNameOfAnother() {
        add("git--hub--create.issue", "create.issue", "git--hub__create_issue");

        assertThat(withheld.findTool(new ResourceKey("default", "git--hub--create.issue")))
                .isEmpty();
        assertThat(withheld.findByServerName(GITHUB, "Create.Issue"))
                .map(each -> each.tool().name())
                .hasValueSatisfying(name -> assertThat(name).startsWith("git--hub--create.issue-"));
    }

    @Test
    void otherToolsAreUnknown() throws Exception {
        assertThat(call("git--hub--other")).isInstanceOf(CallOutcome.ToolNotFound.class);
        assertThat(call("other--create.issue")).isInstanceOf(CallOutcome.ToolNotFound.class);
        assertThat(lookups).containsExactly(GITHUB);
    }

    @Test
    void serverWithoutAPolicyIsNotLookedUp() throws Exception {
        catalog.putServer(Definitions.server("git--hub"));

        assertThat(call("git--hub--create.issue")).isInstanceOf(CallOutcome.ToolNotFound.class);
        assertThat(lookups).isEmpty();
    }

    @Test
    void toolsOfAWithheldServerAreHeldUnderEveryName() throws Exception {
        catalog.refuseServer(Refusal.withheld(GITHUB, "it changed"));

        assertThat(call("git--hub--other"))
                .isInstanceOfSatisfying(
                        CallOutcome.DefinitionHeld.class,
                        outcome ->
                                assertThat(outcome.why())
                                        .contains(
                                                "what runs behind this tool is held",
                                                "orlojctl tools pending mcp/git--hub -n default"));
        ResourceKey tool = new ResourceKey("default", "git--hub--create.issue");
        assertThat(withheld.findByServerName(GITHUB, "Create.Issue"))
                .map(WithheldTools.Withheld::tool)
                .contains(tool);
        assertThat(withheld.findByAgentName("default", "git--hub__create_issue"))
                .map(WithheldTools.Withheld::tool)
                .contains(new ResourceKey("default", "git--hub--create-issue"));
        assertThat(lookups).isEmpty();
    }

    @Test
    void toolThatAWithheldServerStillHasIsHeld() throws Exception {
        add("git--hub--read", "read", "git--hub__read");
        catalog.refuseServer(Refusal.withheld(GITHUB, "it changed"));

        assertThat(call("git--hub--read")).isInstanceOf(CallOutcome.DefinitionHeld.class);
    }

    @Test
    void callThatFindsItsToolIsNotLookedUp() throws Exception {
        add("git--hub--read", "read", "git--hub__read");

        assertThat(call("git--hub--read")).isInstanceOf(CallOutcome.Completed.class);
        assertThat(lookups).isEmpty();
    }

    private void add(String resource, String tool, String agentName) {
        catalog.putTool(
                new ToolEntry(
                        new ResourceKey("default", resource),
                        "uid-" + resource,
                        GITHUB,
                        tool,
                        agentName,
                        Json.MAPPER.createObjectNode(),
                        Optional.empty()));
    }

    private CallOutcome call(String tool) throws InterruptedException {
        return caller.call(
                new CallRequest(
                        new ResourceKey("default", tool),
                        Json.MAPPER.createObjectNode(),
                        Optional.empty(),
                        "test"));
    }
}
