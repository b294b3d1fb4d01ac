package dev.orloj.cli.client;

import dev.orloj.cli.clientfile.Backups;
import dev.orloj.cli.clientfile.ClientFile;
import dev.orloj.cli.clientfile.ClientFileException;
import dev.orloj.cli.clientfile.ClientProgram;
import dev.orloj.cli.clientfile.Platform;
import dev.orloj.cli.clientfile.Section;
import dev.orloj.cli.command.Command;
import dev.orloj.cli.command.CommandException;
import dev.orloj.cli.command.Context;
import dev.orloj.cli.command.ExitCode;
import dev.orloj.cli.command.Flag;
import dev.orloj.cli.command.Format;
import dev.orloj.cli.command.TextOption;
import dev.orloj.cli.command.TextsOption;
import dev.orloj.cli.command.UsageException;
import dev.orloj.cli.importing.FoundServer;
import dev.orloj.cli.importing.ImportPlan;
import dev.orloj.cli.importing.ImportedServer;
import dev.orloj.cli.importing.SecretPolicy;
import dev.orloj.cli.manifest.AllowEnvOption;

import tools.jackson.databind.node.ObjectNode;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** Imports the servers of MCP clients. */
public final class ImportCommand extends Command {

    private final TextsOption files =
            arguments(
                    "0..*", "FILE...", "Files of clients, such as mcp.json; - is standard input.");
    private final TextsOption named = texts("FILE", "The same, as in apply.", "-f", "--filename");
    private final Flag discover = flag("Look for the files of all known clients.", "--discover");
    private final TextsOption clients =
            texts(
                    "CLIENT",
                    "The client of the files, or with --discover the only ones to look for.",
                    "--client");
    private final TextOption secrets =
            text(
                    "HOW",
                    "Secrets in a file: create Secrets, leave them inline, or fail. Default: ask,"
                            + " or create.",
                    "--secrets");
    private final AllowEnvOption allowedEnv = new AllowEnvOption(this::texts);
    private final Flag strict = flag("Import nothing if an entry is wrong.", "--strict");
    private final Flag move =
            flag("Then replace the entries in the files with one entry for" + " Orloj.", "--move");
    private final Flag forceConflicts =
            flag("Take over fields that other managers own.", "--force-conflicts");
    private final TextOption dryRun =
            text("WHERE", "Change nothing, only check: server or client.", "--dry-run");
    private final TextOption output =
            text("FORMAT", "Print the manifests, and do nothing else: yaml or json.", "-o");

    public ImportCommand() {
        super(
                "Import servers from the configuration of MCP clients.",
                "orlojctl import mcp.json",
                "orlojctl import ~/.cursor/mcp.json -o yaml",
                "orlojctl import --discover --move",
                "orlojctl client restore");
    }

    @Override
    public int run(Context context) {
        Options options = options();
        Platform platform = Platform.of(context.console().environment());
        Prompt prompt = new Prompt(context.console());
        boolean isDry = options.format().isPresent() || !dryRun.orElse("none").equals("none");
        ImportSources sources =
                new ImportSources(
                        context,
                        platform,
                        prompt,
                        options.clients(),
                        allowedEnv.in(context.console().environment()),
                        isDry);
        if (discover.isSet()) {
            sources.discover();
        } else {
            options.files().forEach(sources::read);
        }
        ImportPlan plan = ImportPlan.of(sources.servers(), policy(sources, prompt));
        List<String> problems = new ArrayList<>(sources.problems());
        problems.addAll(plan.problems());
        sources.passed().forEach(line -> context.err().println("left out: " + line));
        problems.forEach(line -> context.err().println("orlojctl: " + line));
        note(context, plan);
        if (!problems.isEmpty() && strict.isSet()) {
            throw new CommandException("nothing was imported, because of --strict");
        }
        if (plan.servers().isEmpty()) {
            return nothing(context, problems, sources.passed().isEmpty());
        }
        if (options.format().isPresent()) {
            print(context, plan, options.format().get());
            return ExitCode.OK;
        }
        return store(context, sources, plan, platform);
    }

    private record Options(
            List<String> files, List<ClientProgram> clients, Optional<Format> format) {}

    private Options options() {
        List<String> all = new ArrayList<>(files.get());
        all.addAll(named.get());
        if (all.isEmpty() != discover.isSet()) {
            throw needs("either FILE... or --discover");
        }
        List<ClientProgram> programs = new ArrayList<>();
        for (String label : clients.get()) {
            programs.add(ClientConfigCommand.client(label));
        }
        if (!discover.isSet() && programs.size() > 1) {
            throw new UsageException("--client: files have one client; give it once");
        }
        if (move.isSet() && (output.get().isPresent() || all.contains("-"))) {
            throw new UsageException("--move changes files: leave out -o and -");
        }
        if (!List.of("", "client", "server", "none").contains(dryRun.orElse(""))) {
            throw new UsageException(
                    "--dry-run \"%s\": expected server, client or none"
                            .formatted(dryRun.orElse("")));
        }
        if (!List.of("ask", "create", "inline", "fail").contains(secrets.orElse("ask"))) {
            throw new UsageException(
                    "--secrets \"%s\": expected create, inline or fail"
                            .formatted(secrets.orElse("")));
        }
        Optional<Format> format =
                output.get().map(o -> Format.parse(o, List.of(Format.YAML, Format.JSON)));
        return new Options(all, programs, format);
    }

    private SecretPolicy policy(ImportSources sources, Prompt prompt) {
        return switch (secrets.orElse("ask")) {
            case "create" -> SecretPolicy.CREATE;
            case "inline" -> SecretPolicy.INLINE;
            case "fail" -> SecretPolicy.FAIL;
            default -> {
                long count = sources.countSecrets();
                if (count == 0 || !prompt.isPossible()) {
                    yield SecretPolicy.CREATE;
                }
                String answer =
                        prompt.visible(
                                        "%d secret value(s) found. Keep them in Secrets? [Y/n] "
                                                .formatted(count))
                                .orElse("");
                if (answer.isEmpty() || answer.toLowerCase(java.util.Locale.ROOT).startsWith("y")) {
                    yield SecretPolicy.CREATE;
                }
                throw new CommandException(
                        "nothing was imported; --secrets=inline leaves them readable in the"
                                + " McpServers");
            }
        };
    }

    private static void note(Context context, ImportPlan plan) {
        for (ImportedServer server : plan.servers()) {
            String where = server.first().where();
            server.first()
                    .entry()
                    .notes()
                    .forEach(n -> context.err().println("Warning: " + where + ": " + n));
            server.manifests()
                    .missing()
                    .forEach(m -> context.err().println("Warning: " + where + ": " + m));
        }
    }

    /** Nothing left to import is a success, unless nothing could be read. */
    private static int nothing(Context context, List<String> problems, boolean isUnread) {
        if (problems.isEmpty()) {
            context.err().println("No servers found.");
        }
        return problems.isEmpty() || !isUnread ? ExitCode.OK : ExitCode.FAILED;
    }

    private static void print(Context context, ImportPlan plan, Format format) {
        List<ObjectNode> documents = new ArrayList<>();
        plan.servers().forEach(s -> documents.addAll(s.manifests().documents()));
        ManifestOutput.print(context, documents, format);
    }

    private int store(Context context, ImportSources sources, ImportPlan plan, Platform platform) {
        String how = dryRun.orElse("none");
        if (how.equals("client")) {
            plan.servers()
                    .forEach(
                            s ->
                                    context.out()
                                            .print(
                                                    "mcpserver.orloj.dev/%s valid (client dry run)\n"
                                                            .formatted(s.manifests().name())));
            return ExitCode.OK;
        }
        boolean isDry = how.equals("server");
        List<ImportedServer> stored =
                new ImportRun(context, isDry, forceConflicts.isSet()).apply(plan.servers());
        boolean isMoved = !move.isSet() || move(context, sources, stored, platform, isDry);
        return stored.size() == plan.servers().size() && isMoved ? ExitCode.OK : ExitCode.FAILED;
    }

    private static boolean move(
            Context context,
            ImportSources sources,
            List<ImportedServer> stored,
            Platform platform,
            boolean isDry) {
        OrlojEntry orloj =
                OrlojEntry.of(
                        context,
                        new McpEndpointPath(context.namespace(), List.of()),
                        isDry ? _ -> Optional.empty() : new ClientTokens(context)::of);
        Map<ClientFile, List<Section.Entry>> byFile = new LinkedHashMap<>();
        for (ImportedServer server : stored) {
            for (FoundServer found : server.found()) {
                found.origin()
                        .ifPresent(
                                o ->
                                        byFile.computeIfAbsent(found.file(), _ -> new ArrayList<>())
                                                .add(o));
            }
        }
        boolean isComplete = true;
        Backups backups = new Backups(platform.backups());
        for (Map.Entry<ClientFile, List<Section.Entry>> file : byFile.entrySet()) {
            Move change = new Move(file.getKey(), file.getValue(), sources.hasOrloj(file.getKey()));
            try {
                change.changed(orloj);
                if (!isDry) {
                    change.write(orloj, backups, context.console().clock().instant());
                }
                context.out()
                        .print(
                                "%s changed: %d of its servers are in Orloj%s\n"
                                        .formatted(
                                                file.getKey().name(),
                                                file.getValue().size(),
                                                isDry ? " (dry run)" : ""));
            } catch (ClientFileException e) {
                isComplete = false;
                context.err().println("orlojctl: " + e.getMessage());
            }
        }
        if (!byFile.isEmpty() && !isDry) {
            context.err().println("\"orlojctl client restore\" takes this back.");
        }
        return isComplete;
    }
}
