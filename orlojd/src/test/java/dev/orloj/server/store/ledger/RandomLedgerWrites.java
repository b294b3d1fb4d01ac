package dev.orloj.server.store.ledger;

import static dev.orloj.server.store.ledger.LedgerRig.key;
import static dev.orloj.server.store.ledger.LedgerRig.tool;

import static java.nio.charset.StandardCharsets.UTF_8;

import dev.orloj.api.ResourceKey;
import dev.orloj.api.approval.DefinitionName;
import dev.orloj.api.approval.HeldDefinition;
import dev.orloj.api.approval.OfferedDefinition;
import dev.orloj.api.approval.OfferedFeatures;
import dev.orloj.api.approval.PolicyAction;
import dev.orloj.api.approval.ToolPolicy;
import dev.orloj.api.client.ListOptions;
import dev.orloj.api.codec.Json;
import dev.orloj.api.ledger.CanonicalJson;
import dev.orloj.api.ledger.GeneratedTool;
import dev.orloj.api.ledger.RunningCode;
import dev.orloj.api.v1.McpServer;
import dev.orloj.api.v1.Tool;
import dev.orloj.server.store.PostgresStore;

import tools.jackson.databind.node.ObjectNode;

import java.util.ArrayList;
import java.util.EnumSet;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import java.util.TreeMap;
import java.util.UUID;

/** Chooses what replicas and users write to the Tools of a few servers. Not thread-safe. */
final class RandomLedgerWrites {

    static final List<String> SERVERS = List.of("s", "t");

    private static final int NAMES = 6;
    private static final int TEXTS = 3;

    private static final List<String> POLICIES =
            List.of(
                    "{}",
                    "{\"on_change\": \"quarantine\"}",
                    "{\"on_new\": \"quarantine\", \"on_change\": \"warn\"}",
                    "{\"on_change\": \"reject\", \"on_new\": \"accept\"}",
                    "{\"pins\": {\"t0\": \"sha256:%s\"}}".formatted("0".repeat(64)));

    private static final List<DefinitionName.Kind> KINDS = List.copyOf(DefinitionName.FEATURES);

    /** What a replica writes with. */
    record Replica(PostgresStore store, LedgerApprovals approvals) {}

    /** A write that was chosen. */
    record Write(String text, Action action) {

        @Override
        public String toString() {
            return text;
        }
    }

    interface Action {
        void run(Replica replica);
    }

    private final Random random;
    private final LedgerRig rig;
    private final LedgerApprovals present;

    RandomLedgerWrites(Random random, LedgerRig rig, LedgerApprovals present) {
        this.random = random;
        this.rig = rig;
        this.present = present;
    }

    private String server() {
        return SERVERS.get(random.nextInt(SERVERS.size()));
    }

    private String text() {
        return "text " + random.nextInt(TEXTS);
    }

    private String name() {
        return "t" + random.nextInt(NAMES);
    }

    private Map<String, ObjectNode> tools(String server) {
        Map<String, ObjectNode> tools = new TreeMap<>();
        for (ObjectNode tool :
                rig.store.list(Tool.DESCRIPTOR, ListOptions.inNamespace("default")).items()) {
            GeneratedTool.of(tool)
                    .filter(own -> own.server().equals(server))
                    .ifPresent(own -> tools.put(own.tool(), tool));
        }
        return tools;
    }

    /** Chooses by what is stored now. */
    Write next() {
        return switch (random.nextInt(17)) {
            case 0 -> rename();
            case 1 -> renameThatIsHeld();
            case 2 -> policy();
            case 3 -> policyOfNamespace();
            case 4, 5 -> hold();
            case 6, 7 -> decide();
            case 8 -> removeServer();
            case 9, 10, 11 -> offer();
            case 12, 13 -> run();
            default -> sync();
        };
    }

    private Write sync() {
        String server = server();
        Map<String, ObjectNode> put = new TreeMap<>();
        for (int i = random.nextInt(4); i >= 0; i--) {
            String name = name();
            put.put(name, tool(server, name, text()));
        }
        List<String> removed =
                tools(server).keySet().stream()
                        .filter(name -> !put.containsKey(name) && random.nextInt(3) == 0)
                        .map(name -> server + "--" + name)
                        .toList();
        return new Write(
                "sync of %s: %s, without %s".formatted(server, put.keySet(), removed),
                replica -> LedgerRig.sync(replica.store(), List.copyOf(put.values()), removed));
    }

    /** Also of a name that there is, which is a change. */
    private Write rename() {
        String server = server();
        List<String> names = List.copyOf(tools(server).keySet());
        if (names.isEmpty()) {
            return sync();
        }
        String from = names.get(random.nextInt(names.size()));
        String to = name();
        String text = tools(server).get(from).at("/spec/description").asString("");
        List<String> removed = from.equals(to) ? List.of() : List.of(server + "--" + from);
        return new Write(
                "rename of %s: %s to %s".formatted(server, from, to),
                replica ->
                        LedgerRig.sync(replica.store(), List.of(tool(server, to, text)), removed));
    }

    /** Held, gone under its former name, or approved and there: a step each, at a replica. */
    private Write renameThatIsHeld() {
        String server = server();
        List<String> names = List.copyOf(tools(server).keySet());
        if (names.isEmpty()) {
            return sync();
        }
        String from = names.get(random.nextInt(names.size()));
        String text = tools(server).get(from).at("/spec/description").asString("");
        ObjectNode renamed = tool(server, name(), text);
        HeldDefinition held = held(renamed, "renamed from " + from, false, from);
        LedgerApprovals.Verdict verdict =
                new LedgerApprovals.Verdict(held.name(), held.digest(), true);
        int steps = 1 + random.nextInt(4);
        return new Write(
                "server %s has %s renamed to %s, %d steps"
                        .formatted(server, from, held.name(), steps),
                replica -> {
                    replica.approvals().hold(key(server), List.of(held));
                    if (steps > 1) {
                        LedgerRig.sync(replica.store(), List.of(), List.of(server + "--" + from));
                    }
                    if (steps > 2) {
                        replica.approvals().decide(key(server), List.of(verdict), "alice");
                    }
                    if (steps > 3) {
                        LedgerRig.sync(replica.store(), List.of(renamed), List.of());
                    }
                });
    }

    private Write policy() {
        String name = server();
        String policy = POLICIES.get(random.nextInt(POLICIES.size()));
        ObjectNode server =
                LedgerRig.server(name, "2026-01-01T00:00:00Z", "pkg@1." + random.nextInt(3));
        server.withObject("/spec").set("tool_policy", Json.MAPPER.readTree(policy));
        return new Write(
                "server %s with %s".formatted(name, policy),
                replica -> LedgerRig.putServer(replica.store(), server));
    }

    private Write policyOfNamespace() {
        ObjectNode policy = Json.MAPPER.createObjectNode();
        policy.put("apiVersion", "orloj.dev/v1").put("kind", "ToolPolicy");
        policy.putObject("metadata")
                .put("name", "shared")
                .put("namespace", "default")
                .put("uid", UUID.nameUUIDFromBytes("shared".getBytes(UTF_8)).toString());
        String action = random.nextBoolean() ? "warn" : "quarantine";
        policy.putObject("spec").put("on_change", action);
        return new Write(
                "ToolPolicy with " + action,
                replica ->
                        replica.store()
                                .write(
                                        ToolPolicy.DESCRIPTOR,
                                        key("shared"),
                                        LedgerRig.put(policy)));
    }

    private Write hold() {
        String server = server();
        List<HeldDefinition> held = new ArrayList<>();
        for (int i = random.nextInt(3); i > 0; i--) {
            String name = "t" + (2 * i + random.nextInt(2));
            held.add(
                    held(
                            tool(server, name, text()),
                            "changed: text",
                            random.nextBoolean(),
                            random.nextBoolean() ? name() : ""));
        }
        return new Write(
                "hold of %s: %s"
                        .formatted(server, held.stream().map(HeldDefinition::name).toList()),
                replica -> replica.approvals().hold(key(server), held));
    }

    /** Of prompts, templates and resources; of some kinds only, as lists can fail. */
    private Write offer() {
        String server = server();
        Set<DefinitionName.Kind> read = EnumSet.noneOf(DefinitionName.Kind.class);
        KINDS.stream().filter(_ -> random.nextInt(4) > 0).forEach(read::add);
        Map<DefinitionName, OfferedDefinition> offered = new TreeMap<>();
        for (DefinitionName.Kind kind : read) {
            for (int i = random.nextInt(3); i > 0; i--) {
                DefinitionName name = new DefinitionName(kind, name());
                ObjectNode definition = Json.MAPPER.createObjectNode();
                definition.put("name", name.name()).put("description", text());
                offered.put(name, new OfferedDefinition(name, definition));
            }
        }
        OfferedFeatures features = new OfferedFeatures(List.copyOf(offered.values()), read);
        return new Write(
                "offer of %s: %s of %s".formatted(server, offered.keySet(), read),
                replica -> replica.approvals().offer(key(server), features));
    }

    /** Of a version that the manifest names, or of one that it does not. */
    private Write run() {
        String server = server();
        RunningCode code =
                RunningCode.named("npx mail" + (random.nextInt(4) == 0 ? "@1" : ""))
                        .with(RunningCode.PACKAGE, "version", text());
        return new Write(
                "session of %s with %s".formatted(server, code.fields()),
                replica -> replica.approvals().admit(key(server), code));
    }

    /** Of what is held, or a rejection of what is served. */
    private Write decide() {
        String server = server();
        List<LedgerApprovals.Verdict> verdicts = new ArrayList<>();
        present.pending(key(server))
                .forEach(
                        pending ->
                                verdicts.add(
                                        new LedgerApprovals.Verdict(
                                                pending.held().name(),
                                                pending.held().digest(),
                                                random.nextBoolean())));
        if (verdicts.isEmpty()) {
            tools(server)
                    .forEach(
                            (name, tool) ->
                                    verdicts.add(
                                            new LedgerApprovals.Verdict(
                                                    DefinitionName.tool(name),
                                                    CanonicalJson.digest(definition(tool)),
                                                    false)));
        }
        if (verdicts.isEmpty()) {
            return sync();
        }
        LedgerApprovals.Verdict verdict = verdicts.get(random.nextInt(verdicts.size()));
        return new Write(
                "decision about %s: %s, %s".formatted(server, verdict.name(), verdict.approved()),
                replica -> replica.approvals().decide(key(server), List.of(verdict), "alice"));
    }

    private Write removeServer() {
        String name = server();
        ResourceKey key = key(name);
        if (rig.store.find(McpServer.DESCRIPTOR, key).isEmpty()) {
            return policy();
        }
        return new Write(
                "removal of server " + name,
                replica -> {
                    if (replica.store().find(McpServer.DESCRIPTOR, key).isPresent()) {
                        LedgerRig.removeServer(replica.store(), name);
                    }
                });
    }

    private static HeldDefinition held(
            ObjectNode tool, String reason, boolean serves, String former) {
        ObjectNode definition = definition(tool);
        return new HeldDefinition(
                DefinitionName.tool(definition.path("name").asString("")),
                CanonicalJson.digest(definition),
                definition,
                PolicyAction.QUARANTINE,
                reason,
                serves,
                former);
    }

    private static ObjectNode definition(ObjectNode tool) {
        return GeneratedTool.of(tool).orElseThrow().definition();
    }
}
