package dev.orloj.cli.client;

import dev.orloj.api.ApiException;
import dev.orloj.cli.apply.Applied;
import dev.orloj.cli.apply.ApplyOptions;
import dev.orloj.cli.apply.ApplyRun;
import dev.orloj.cli.apply.Intent;
import dev.orloj.cli.apply.Pruning;
import dev.orloj.cli.command.Context;
import dev.orloj.cli.importing.ImportedServer;
import dev.orloj.cli.output.Text;

import java.util.ArrayList;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Supplier;

/** Applies the manifests of imported servers, and prints what happened to each. */
final class ImportRun {

    private static final int MAX_MANAGER = 128;
    private static final String MANAGER = "orlojctl import";

    private final Context context;
    private final boolean dryRun;
    private final boolean force;
    private final Set<ImportedServer> failed = new HashSet<>();

    ImportRun(Context context, boolean dryRun, boolean force) {
        this.context = context;
        this.dryRun = dryRun;
        this.force = force;
    }

    private record Part(ImportedServer server, Intent intent) {}

    /** Applies all servers; returns those that are stored now. */
    List<ImportedServer> apply(List<ImportedServer> servers) {
        Map<String, List<Part>> byManager = new LinkedHashMap<>();
        for (ImportedServer server : servers) {
            List<Part> parts = byManager.computeIfAbsent(manager(server), _ -> new ArrayList<>());
            server.manifests()
                    .documents()
                    .forEach(d -> parts.add(new Part(server, Intent.in(context.namespace(), d))));
        }
        byManager.forEach(this::apply);
        return servers.stream().filter(server -> !failed.contains(server)).toList();
    }

    /** Each file has a manager of its own, so that no file overwrites the server of another. */
    private static String manager(ImportedServer server) {
        String file =
                server.first().file().path().map(p -> p.toAbsolutePath().toString()).orElse("");
        String manager = file.isEmpty() ? MANAGER : MANAGER + " " + file;
        int length = manager.length();
        return length <= MAX_MANAGER
                ? manager
                : MANAGER + " ..." + file.substring(file.length() - (MAX_MANAGER - 20));
    }

    private void apply(String manager, List<Part> parts) {
        ApplyOptions options = new ApplyOptions(dryRun, manager, force);
        new ApplyRun(
                        context.connection(),
                        options,
                        new Pruning.None(),
                        parts.stream().map(Part::intent).toList())
                .apply((i, result) -> report(parts.get(i), result));
    }

    private void report(Part part, Supplier<Applied> result) {
        String name = Text.qualified(part.intent().kind()) + "/" + part.intent().key().name();
        try {
            Applied applied = result.get();
            applied.warnings().forEach(w -> context.err().println("Warning: " + w));
            context.out()
                    .print(
                            "%s %s%s\n"
                                    .formatted(
                                            name,
                                            applied.effect().word(),
                                            dryRun ? " (server dry run)" : ""));
            context.out().flush();
        } catch (ApiException e) {
            failed.add(part.server());
            String where = part.server().first().where();
            boolean isConflict = e.reason() == dev.orloj.api.ErrorReason.CONFLICT;
            context.err()
                    .println(
                            "orlojctl: %s: %s: %s%s"
                                    .formatted(
                                            where,
                                            name,
                                            e.getMessage(),
                                            isConflict
                                                    ? "; rename the entry, or take the fields over"
                                                            + " with --force-conflicts"
                                                    : ""));
        }
    }
}
