package dev.orloj.cli.ledger;

import dev.orloj.api.ApiException;
import dev.orloj.api.ErrorReason;
import dev.orloj.api.ResourceKey;
import dev.orloj.api.ledger.CanonicalJson;
import dev.orloj.api.ledger.GeneratedTool;
import dev.orloj.api.ledger.LedgerCheckpoint;
import dev.orloj.api.ledger.LedgerEntry;
import dev.orloj.api.ledger.LedgerState;
import dev.orloj.api.ledger.LedgerVerification;
import dev.orloj.api.v1.McpServer;
import dev.orloj.api.v1.Tool;
import dev.orloj.cli.command.Command;
import dev.orloj.cli.command.CommandException;
import dev.orloj.cli.command.Context;
import dev.orloj.cli.command.ExitCode;
import dev.orloj.cli.command.Flag;
import dev.orloj.cli.command.TextOption;
import dev.orloj.cli.command.TextsOption;
import dev.orloj.cli.command.UsageException;
import dev.orloj.cli.http.ResourceSelection;
import dev.orloj.cli.output.Text;
import dev.orloj.cli.resource.Targets;

import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

import java.time.Duration;
import java.time.Instant;
import java.time.format.DateTimeParseException;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.SortedSet;
import java.util.TreeMap;
import java.util.TreeSet;

/** Replays ledgers, checks their chains, and compares what they say with the Tools. */
final class VerifyCommand extends Command {

    private static final String HASH = "sha256:[0-9a-f]{64}";

    private final TextsOption arguments =
            arguments("0..1", "[SERVER]", "Only this McpServer. Default: all of the namespace.");
    private final Flag everywhere = flag("In every namespace.", "-A", "--all-namespaces");
    private final TextOption file =
            text("EXPORT", "Check an export of history -o json, without a server.", "--file");
    private final TextOption checkpoint =
            text("FILE", "A checkpoint that was kept elsewhere.", "--checkpoint");
    private final TextOption head =
            text("HASH", "The hash that the ledger must contain, as kept elsewhere.", "--hash");

    VerifyCommand() {
        super(
                "Check that ledgers are complete, and match what is served.",
                "orlojctl tools verify",
                "orlojctl tools verify github",
                "orlojctl tools verify -A --checkpoint tools.checkpoint",
                "orlojctl tools verify --file github.ledger --checkpoint tools.checkpoint");
    }

    @Override
    public int run(Context context) {
        requireOneMeaning();
        Optional<LedgerCheckpoint> kept = checkpoint.get().map(Checkpoints::ofFile);
        if (kept.filter(signed -> !signed.isSigned()).isPresent()) {
            throw new CommandException(
                    "the signature of the checkpoint \"%s\" is wrong: it was changed"
                            .formatted(checkpoint.get().get()));
        }
        return file.get().isPresent()
                ? verifyFile(context, LedgerFile.open(file.get().get()), kept)
                : verifyServers(context, kept);
    }

    private void requireOneMeaning() {
        boolean hasServer = !arguments.get().isEmpty();
        if (file.get().isPresent() && (hasServer || everywhere.isSet())) {
            throw new UsageException("a SERVER or -A and --file exclude each other");
        }
        if (hasServer && everywhere.isSet()) {
            throw new UsageException("a SERVER and -A exclude each other");
        }
        if (head.get().isPresent() && !hasServer && file.get().isEmpty()) {
            throw needs("SERVER or --file FILE for --hash");
        }
        if (head.get().filter(hash -> !hash.matches(HASH)).isPresent()) {
            throw new UsageException(
                    "--hash \"%s\" is no hash: give sha256: and all its 64 digits, as verify and history -o json print it"
                            .formatted(head.get().get()));
        }
    }

    private int verifyFile(Context context, LedgerFile export, Optional<LedgerCheckpoint> kept) {
        ObjectNode document = export.document();
        ResourceKey server =
                new ResourceKey(
                        document.at("/metadata/namespace").asString(""),
                        document.at("/metadata/name").asString(""));
        kept.ifPresent(known -> requireCovered(known, server.namespace()));
        LedgerVerification verification =
                new LedgerVerification(base(document), kept(kept, server));
        export.forEachEntry(verification::take);
        verification.end(document.at("/head/hash").asString(""));
        return report(context, server, verification);
    }

    private int verifyServers(Context context, Optional<LedgerCheckpoint> kept) {
        int code = ExitCode.OK;
        if (kept.isPresent()) {
            String namespace = everywhere.isSet() ? "" : context.namespace();
            requireCovered(kept.get(), namespace);
            code = verifyKey(context, namespace, kept.get());
        }
        SortedSet<ResourceKey> servers = servers(context, kept);
        if (servers.isEmpty()) {
            String namespace = everywhere.isSet() ? "" : context.namespace();
            EmptyNamespace.require(context, namespace);
            context.err()
                    .println(EmptyNamespace.noServer(namespace) + "there is nothing to verify.");
        }
        for (ResourceKey server : servers) {
            code = Math.max(code, verify(context, server, kept));
        }
        return code;
    }

    private void requireCovered(LedgerCheckpoint kept, String namespace) {
        if (!kept.covers(namespace)) {
            throw new UsageException(
                    "the checkpoint \"%s\" has the ledgers of namespace \"%s\" only"
                            .formatted(checkpoint.get().orElse(""), kept.namespace()));
        }
    }

    /** The key of a checkpoint from elsewhere is not that of the server. */
    private static int verifyKey(Context context, String namespace, LedgerCheckpoint kept) {
        LedgerCheckpoint now = Checkpoints.ofServer(context, namespace);
        if (now.isSigned() && now.key().equals(kept.key())) {
            return ExitCode.OK;
        }
        context.out()
                .print(
                        "the checkpoint of %s is not signed with the key of this server\n"
                                .formatted(Text.oneLine(kept.time())));
        return ExitCode.FINDINGS;
    }

    private int verify(Context context, ResourceKey server, Optional<LedgerCheckpoint> kept) {
        Map<String, LedgerState.Item> before = tools(context, server);
        LedgerVerification verification;
        try {
            verification = replay(context, server, before, kept(kept, server));
            if (!verification.problems().isEmpty()) {
                // Perhaps written in between.
                before = tools(context, server);
                verification = replay(context, server, before, kept(kept, server));
            }
        } catch (ApiException e) {
            Optional<LedgerCheckpoint.Head> known = kept.flatMap(all -> all.head(server));
            if (e.reason() != ErrorReason.NOT_FOUND || known.isEmpty()) {
                throw e;
            }
            return reportAbsent(context, known.get(), kept.get().time());
        }
        return report(context, server, verification);
    }

    private static LedgerVerification replay(
            Context context,
            ResourceKey server,
            Map<String, LedgerState.Item> tools,
            LedgerVerification.Kept kept) {
        ObjectNode first = Ledger.page(context, server, "");
        LedgerVerification verification = new LedgerVerification(base(first), kept);
        ObjectNode last =
                Ledger.forEachPage(
                        context,
                        server,
                        first,
                        page ->
                                page.path("entries")
                                        .forEach(
                                                entry -> verification.take(LedgerEntry.of(entry))));
        verification.end(last.at("/head/hash").asString(""));
        verification.compare(tools);
        verification.compareFeatures(Ledger.served(first));
        return verification;
    }

    private static Optional<JsonNode> base(ObjectNode ledger) {
        JsonNode base = ledger.path("base");
        return base.isObject() ? Optional.of(base) : Optional.empty();
    }

    private LedgerVerification.Kept kept(Optional<LedgerCheckpoint> kept, ResourceKey server) {
        return new LedgerVerification.Kept(
                kept.flatMap(all -> all.head(server)),
                kept.map(LedgerCheckpoint::time).orElse(""),
                head.get());
    }

    /** Returns the servers that are there, and those whose ledgers were there. */
    private SortedSet<ResourceKey> servers(Context context, Optional<LedgerCheckpoint> kept) {
        if (!arguments.get().isEmpty()) {
            String server = Targets.serverName(arguments.get().getFirst());
            return new TreeSet<>(List.of(new ResourceKey(context.namespace(), server)));
        }
        String namespace = everywhere.isSet() ? "" : context.namespace();
        SortedSet<ResourceKey> servers = new TreeSet<>();
        for (ObjectNode item :
                context.documents()
                        .list(ResourceSelection.everything(McpServer.KIND, namespace))
                        .items()) {
            servers.add(
                    new ResourceKey(
                            item.at("/metadata/namespace").asString(""),
                            item.at("/metadata/name").asString("")));
        }
        kept.stream()
                .flatMap(known -> known.heads().stream())
                .map(LedgerCheckpoint.Head::server)
                .filter(server -> namespace.isEmpty() || server.namespace().equals(namespace))
                .forEach(servers::add);
        return servers;
    }

    private static Map<String, LedgerState.Item> tools(Context context, ResourceKey server) {
        Map<String, LedgerState.Item> tools = new TreeMap<>();
        ResourceSelection own =
                new ResourceSelection(
                        Tool.KIND, server.namespace(), Tool.SERVER_LABEL + "=" + server.name(), "");
        for (ObjectNode document : context.documents().list(own).items()) {
            GeneratedTool.of(document)
                    .ifPresent(
                            tool ->
                                    tools.put(
                                            tool.resource(),
                                            new LedgerState.Item(
                                                    tool.tool(),
                                                    CanonicalJson.digest(tool.definition()))));
        }
        return tools;
    }

    /** A ledger goes some time after its server. */
    private int reportAbsent(Context context, LedgerCheckpoint.Head known, String time) {
        Instant now = context.console().clock().instant();
        boolean isOld =
                newest(known)
                        .filter(at -> at.plus(LedgerVerification.KEPT_WITHOUT_SERVER).isBefore(now))
                        .isPresent();
        Duration kept = LedgerVerification.KEPT_WITHOUT_SERVER;
        String text =
                isOld
                        ? "has no ledger any more; that of a deleted server goes after %d days"
                                .formatted(kept.toDays())
                        : "there is no ledger, but the checkpoint of %s names entry %d: it was removed, or an older state was restored"
                                .formatted(time, known.sequence());
        context.out().print("%s: %s\n".formatted(name(known.server()), Text.oneLine(text)));
        return isOld ? ExitCode.OK : ExitCode.FINDINGS;
    }

    private static Optional<Instant> newest(LedgerCheckpoint.Head head) {
        try {
            return Optional.of(Instant.parse(head.at()));
        } catch (DateTimeParseException e) {
            return Optional.empty();
        }
    }

    private String name(ResourceKey server) {
        return everywhere.isSet() ? server.namespace() + "/" + server.name() : server.name();
    }

    private int report(Context context, ResourceKey server, LedgerVerification verification) {
        List<String> problems = verification.problems();
        for (String problem : problems) {
            context.out().print("%s: %s\n".formatted(name(server), Text.oneLine(problem)));
        }
        if (problems.isEmpty()) {
            context.out().print(name(server) + ": " + summary(verification) + "\n");
        }
        if (verification.isBeyondCheckpoint()) {
            context.err()
                    .println(
                            name(server)
                                    + ": the entry that the checkpoint names was removed because"
                                    + " of its age; take a new checkpoint");
        }
        return problems.isEmpty() ? ExitCode.OK : ExitCode.FINDINGS;
    }

    private static String summary(LedgerVerification verification) {
        long entries = verification.entries();
        if (entries == 0) {
            return "no entries yet; the first sync of its tools adds them";
        }
        int features = verification.state().features().size();
        return "%s, %s%s, head %s"
                .formatted(
                        entries == 1 ? "1 entry" : entries + " entries",
                        Text.count(verification.state().tools().size(), "tool"),
                        features == 0 ? "" : ", " + Text.count(features, "other definition"),
                        verification.head());
    }
}
