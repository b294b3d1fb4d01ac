package dev.orloj.cli.mcpserver;

import dev.orloj.api.ApiException;
import dev.orloj.api.ResourceKey;
import dev.orloj.api.v1.McpServer;
import dev.orloj.cli.apply.Applied;
import dev.orloj.cli.apply.ApplyOptions;
import dev.orloj.cli.apply.ApplyRun;
import dev.orloj.cli.apply.Intent;
import dev.orloj.cli.apply.Pruning;
import dev.orloj.cli.client.ManifestOutput;
import dev.orloj.cli.client.Prompt;
import dev.orloj.cli.command.Command;
import dev.orloj.cli.command.CommandException;
import dev.orloj.cli.command.Context;
import dev.orloj.cli.command.ExitCode;
import dev.orloj.cli.command.Flag;
import dev.orloj.cli.command.Format;
import dev.orloj.cli.command.TextOption;
import dev.orloj.cli.command.TextsOption;
import dev.orloj.cli.command.UsageException;
import dev.orloj.cli.importing.ConfiguredServer;
import dev.orloj.cli.importing.EntryException;
import dev.orloj.cli.importing.ImportedSetting;
import dev.orloj.cli.importing.Launch;
import dev.orloj.cli.importing.RegistryServer;
import dev.orloj.cli.importing.SecretPolicy;
import dev.orloj.cli.importing.ServerManifests;
import dev.orloj.cli.importing.ServerNames;
import dev.orloj.cli.output.Text;
import dev.orloj.cli.resource.GoalWait;
import dev.orloj.cli.resource.Targets;
import dev.orloj.cli.resource.WaitCondition;

import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Supplier;

/** Adds one server. */
final class AddCommand extends Command {

    /** Enough for most images to be pulled. */
    private static final Duration TIMEOUT = Duration.ofMinutes(5);

    private final TextsOption arguments =
            arguments(
                    "1..*",
                    "NAME [-- COMMAND [ARG...]]",
                    "The name, and the program; or alone a server.json: its file, its URL, or its"
                            + " name in the registry.");
    private final TextOption image =
            text("IMAGE", "Run an image in a container; arguments follow --.", "--image");
    private final TextOption url = text("URL", "Connect to this address.", "--url");
    private final Flag sse = flag("With --url: over HTTP+SSE.", "--sse");
    private final TextsOption headers =
            texts("NAME=VALUE", "With --url: a header; repeatable.", "--header");
    private final TextsOption env =
            texts("NAME=VALUE", "A variable of the program; repeatable.", "-e", "--env");
    private final TextOption name = text("NAME", "Of a server.json: another name.", "--name");
    private final TextOption registry =
            text("URL", "The registry. Default: $ORLOJ_REGISTRY.", "--registry");
    private final TextOption kind =
            text("KIND", "Of a server.json: npm, pypi, oci, nuget or remote.", "--package");
    private final TextsOption values =
            texts("NAME=VALUE", "Of a server.json: an argument or variable; repeatable.", "--set");
    private final TextOption secrets =
            text(
                    "HOW",
                    "Secret values: create Secrets, inline, or fail. Default: create.",
                    "--secrets");
    private final Flag wait = flag("Wait until the server is ready.", "--wait");
    private final TextOption timeout =
            text("TIME", "With --wait: maximum time. Default: 5m.", "--timeout");
    private final TextOption dryRun = DryRunOption.addTo(spec(), "client");
    private final TextOption output =
            text("FORMAT", "With --dry-run: yaml or json.", "-o", "--output");

    AddCommand() {
        super(
                "Add a server.",
                "orlojctl mcp add files -- npx -y @modelcontextprotocol/server-filesystem /srv",
                "orlojctl mcp add github --image ghcr.io/github/github-mcp-server -e TOKEN=..."
                        + " --wait",
                "orlojctl mcp add docs --url https://mcp.example.com/mcp --header X-Key=...",
                "orlojctl mcp add io.github.user/server --registry"
                        + " https://registry.modelcontextprotocol.io",
                "orlojctl mcp add files --dry-run -o yaml -- mcp-files /srv");
    }

    @Override
    public int run(Context context) {
        DryRunOption how = DryRunOption.parse(dryRun);
        Optional<Format> format =
                output.get().map(o -> Format.parse(o, List.of(Format.YAML, Format.JSON)));
        if (format.isPresent() && how == DryRunOption.NONE) {
            throw new UsageException("-o prints manifests that are not applied: add --dry-run");
        }
        if (how != DryRunOption.NONE && wait.isSet()) {
            throw new UsageException("--wait waits for what is stored: leave out --dry-run");
        }
        ServerManifests manifests = manifests(context);
        manifests.missing().forEach(m -> context.err().println("Warning: " + m));
        if (format.isPresent()) {
            ManifestOutput.print(context, manifests.documents(), format.get());
            return ExitCode.OK;
        }
        if (how == DryRunOption.CLIENT) {
            context.out().print(display(manifests) + " valid (client dry run)\n");
            return ExitCode.OK;
        }
        int exitCode = store(context, manifests, how == DryRunOption.SERVER);
        if (exitCode == ExitCode.OK && wait.isSet()) {
            Instant deadline =
                    context.console().clock().instant().plus(timeout.duration().orElse(TIMEOUT));
            new GoalWait(context, new WaitCondition.HasCondition("Ready", "True"), deadline)
                    .await(new Targets.Named(McpServer.KIND, manifests.name()));
        }
        return exitCode;
    }

    private static String display(ServerManifests manifests) {
        return Text.qualified(McpServer.KIND) + "/" + manifests.name();
    }

    private ServerManifests manifests(Context context) {
        SecretPolicy policy =
                switch (secrets.orElse("create")) {
                    case "create" -> SecretPolicy.CREATE;
                    case "inline" -> SecretPolicy.INLINE;
                    case "fail" -> SecretPolicy.FAIL;
                    default ->
                            throw new UsageException(
                                    "--secrets \"%s\": expected create, inline or fail"
                                            .formatted(secrets.orElse("")));
                };
        try {
            ConfiguredServer entry = entry(context);
            return ServerManifests.of(
                    entry, name.get().orElseGet(() -> ServerNames.of(entry.name())), policy);
        } catch (EntryException e) {
            throw new CommandException(e.getMessage());
        }
    }

    private ConfiguredServer entry(Context context) {
        List<String> words = arguments.get();
        String first = words.getFirst();
        List<String> program = words.subList(1, words.size());
        boolean isAlone = program.isEmpty() && image.get().isEmpty() && url.get().isEmpty();
        if (isAlone && RegistryClient.isSource(first)) {
            return registryEntry(context, first);
        }
        if (isAlone) {
            throw new UsageException(
                    "what is \"%s\"? Add -- COMMAND, --image IMAGE or --url URL".formatted(first));
        }
        if (url.get().isPresent()) {
            if (!program.isEmpty() || image.get().isPresent() || !env.get().isEmpty()) {
                throw new UsageException("--url excludes a command, --image and --env");
            }
            return ConfiguredServer.of(
                    first,
                    new Launch.Endpoint(
                            url.get().get(), sse.isSet(), settings("--header", headers)));
        }
        if (!headers.get().isEmpty() || sse.isSet()) {
            throw new UsageException("--header and --sse go with --url");
        }
        List<ImportedSetting> variables = settings("--env", env);
        return ConfiguredServer.of(
                first,
                image.get().isPresent()
                        ? new Launch.Image(image.get().get(), program, variables)
                        : new Launch.Program(
                                program.getFirst(),
                                program.subList(1, program.size()),
                                variables,
                                ""));
    }

    private ConfiguredServer registryEntry(Context context, String source) {
        Map<String, String> environment = context.console().environment();
        Map<String, String> chosen = new HashMap<>();
        pairs("--set", values).forEach(chosen::put);
        pairs("--env", env).forEach(chosen::put);
        pairs("--header", headers).forEach(chosen::put);
        Optional<String> base =
                registry.get()
                        .or(() -> Optional.ofNullable(environment.get("ORLOJ_REGISTRY")))
                        .filter(r -> !r.isBlank());
        return RegistryServer.read(
                new RegistryClient(base, context.console()).read(source),
                new RegistryServer.Choices(
                        kind.get(),
                        name -> Optional.ofNullable(chosen.get(name)),
                        new Prompt(context.console())::ask));
    }

    private static List<ImportedSetting> settings(String option, TextsOption texts) {
        return pairs(option, texts).entrySet().stream()
                .map(p -> ImportedSetting.of(p.getKey(), p.getValue()))
                .toList();
    }

    private static Map<String, String> pairs(String option, TextsOption texts) {
        Map<String, String> pairs = new LinkedHashMap<>();
        for (String text : texts.get()) {
            int sign = text.indexOf('=');
            if (sign < 1) {
                throw new UsageException("%s takes NAME=VALUE".formatted(option));
            }
            pairs.put(text.substring(0, sign), text.substring(sign + 1));
        }
        return pairs;
    }

    private static int store(Context context, ServerManifests manifests, boolean isDry) {
        ResourceKey key = new ResourceKey(context.namespace(), manifests.name());
        if (context.documents().find(McpServer.KIND, key).isPresent()) {
            throw new CommandException(
                    "%s exists already; remove it with \"orlojctl mcp remove %s\", or choose another name"
                            .formatted(display(manifests), manifests.name()));
        }
        List<Intent> intents = new ArrayList<>();
        manifests.documents().forEach(d -> intents.add(Intent.in(context.namespace(), d)));
        boolean[] failed = {false};
        new ApplyRun(
                        context.connection(),
                        new ApplyOptions(isDry, ApplyOptions.FIELD_MANAGER, false),
                        new Pruning.None(),
                        intents)
                .apply((i, result) -> failed[0] |= !report(context, intents.get(i), result, isDry));
        return failed[0] ? ExitCode.FAILED : ExitCode.OK;
    }

    /** Returns whether the document is stored. */
    private static boolean report(
            Context context, Intent intent, Supplier<Applied> result, boolean isDry) {
        String display = Text.qualified(intent.kind()) + "/" + intent.key().name();
        try {
            Applied applied = result.get();
            applied.warnings().forEach(w -> context.err().println("Warning: " + w));
            String suffix = isDry ? " (server dry run)" : "";
            context.out().print(display + " " + applied.effect().word() + suffix + "\n");
            context.out().flush();
            return true;
        } catch (ApiException e) {
            context.err().println("orlojctl: %s: %s".formatted(display, e.getMessage()));
            return false;
        }
    }
}
