package dev.orloj.cli.check;

import dev.orloj.api.v1.McpServer;
import dev.orloj.cli.command.Command;
import dev.orloj.cli.command.Context;
import dev.orloj.cli.command.ExitCode;
import dev.orloj.cli.command.Flag;
import dev.orloj.cli.command.TextOption;
import dev.orloj.cli.command.TextsOption;
import dev.orloj.cli.command.UsageException;
import dev.orloj.cli.http.ResourceSelection;
import dev.orloj.cli.manifest.ManifestInput;
import dev.orloj.cli.manifest.ManifestSources;
import dev.orloj.cli.resource.Targets;

import java.util.ArrayList;
import java.util.List;

/** Checks manifests, whose servers are tried out, or stored servers. */
public final class CheckCommand extends Command {

    private final TextsOption servers = arguments("0..*", "[SERVER...]", "Stored McpServers.");
    private final ManifestSources sources =
            new ManifestSources(
                    this::texts,
                    this::flag,
                    "Manifests to check; their servers are started, and not stored.");
    private final Flag all = flag("All McpServers of the namespace.", "--all");
    private final TextOption output =
            text(
                    "FORMAT",
                    "text, json, sarif (for code scanning) or junit. Default: text.",
                    "-o",
                    "--output");
    private final TextsOption also =
            texts(
                    "FORMAT=FILE",
                    "Write the result to a file as well, such as sarif=check.sarif.",
                    "--also");
    private final TextOption failOn =
            text(
                    "SEVERITY",
                    "The least severity with exit code 5: error, warning, note or never. Default:"
                            + " error.",
                    "--fail-on");
    private final Flag noStart =
            flag("With -f: check the manifests only, and start no server.", "--no-start");
    private final TextOption timeout =
            text(
                    "TIME",
                    "With -f: maximum time for each server to start and to list"
                            + " its tools, up to 5m. Default: 60s.",
                    "--timeout");

    public CheckCommand() {
        super(
                "Check servers before and after they are applied. Exit code 5 means findings.",
                "orlojctl check -f servers/",
                "orlojctl check -f server.yaml --also sarif=check.sarif",
                "orlojctl check github",
                "orlojctl check --all --fail-on warning");
    }

    @Override
    public int run(Context context) {
        ReportFormat format = ReportFormat.parse(output.orElse("text"));
        FailOn fails = FailOn.parse(failOn.orElse("error"));
        List<ReportFile> files = also.get().stream().map(ReportFile::parse).toList();
        requireOneSource();
        ServerReviewClient reviews =
                new ServerReviewClient(context, !noStart.isSet(), timeout.duration());
        List<Checked> checked = new ArrayList<>();
        int exitCode = ExitCode.OK;
        if (sources.isGiven()) {
            ManifestInput input = sources.read(context);
            exitCode = input.exitCode();
            checked.addAll(reviews.review(input.submissions()));
        } else {
            names(context).forEach(name -> checked.add(reviews.review(name)));
        }
        files.forEach(file -> file.write(checked, fails));
        context.out().print(format.write(checked, fails));
        boolean failed =
                checked.stream().flatMap(one -> one.findings().stream()).anyMatch(fails::fails);
        // What could not be read was not checked, which is worse than a finding.
        return exitCode == ExitCode.OK && failed ? ExitCode.FINDINGS : exitCode;
    }

    private void requireOneSource() {
        int given =
                (servers.get().isEmpty() ? 0 : 1)
                        + (sources.isGiven() ? 1 : 0)
                        + (all.isSet() ? 1 : 0);
        if (given == 0) {
            throw needs("-f FILE, SERVER... or --all");
        }
        if (given > 1) {
            throw new UsageException("-f FILE, SERVER... and --all exclude each other");
        }
        if (!sources.isGiven() && (noStart.isSet() || timeout.get().isPresent())) {
            throw new UsageException("--no-start and --timeout go only with -f");
        }
    }

    private List<String> names(Context context) {
        if (!all.isSet()) {
            return servers.get().stream().map(Targets::serverName).toList();
        }
        return context
                .documents()
                .list(ResourceSelection.everything(McpServer.KIND, context.namespace()))
                .items()
                .stream()
                .map(server -> server.at("/metadata/name").asString(""))
                .toList();
    }
}
