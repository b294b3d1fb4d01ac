package dev.orloj.benchmarks.ctl;

import dev.orloj.benchmarks.report.Column;
import dev.orloj.benchmarks.report.Goal;
import dev.orloj.benchmarks.report.Row;
import dev.orloj.benchmarks.report.Rows;
import dev.orloj.benchmarks.report.Table;
import dev.orloj.benchmarks.suite.Benchmark;
import dev.orloj.benchmarks.suite.Effort;
import dev.orloj.benchmarks.suite.OrlojdProcess;
import dev.orloj.benchmarks.suite.Workplace;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;

/**
 * {@code orlojctl get tools} of 100 tools as a whole process, from its start to its end, beside
 * {@code kubectl get tools} against the same orlojd, with the same kubeconfig.
 */
public final class CommandLineBenchmark implements Benchmark {

    private static final int TOOLS = 100;
    private static final int RUNS = 5;
    private static final int ROUNDS_FOR_EACH = 3;
    private static final String KUBECTL = "kubectl get tools";
    private static final String ORLOJCTL = "orlojctl get tools";
    private static final String JVM = "java -version";
    private static final double MAX_WALL = 1.5;
    private static final double MAX_CPU = 2;

    @Override
    public String name() {
        return "ctl";
    }

    @Override
    public String summary() {
        return "orlojctl get tools of 100 tools, the whole process";
    }

    @Override
    public Table run(Effort effort, Workplace workplace) throws Exception {
        Path folder = workplace.newFolder("ctl");
        Path kubeconfig = folder.resolve("kubeconfig");
        Path checkout = Path.of(System.getProperty("orloj.root", "")).toAbsolutePath();
        Rows rows = new Rows();
        try (OrlojdProcess orlojd = OrlojdProcess.start(workplace, folder.resolve("data"))) {
            createTools(orlojd);
            Files.writeString(kubeconfig, kubeconfig(orlojd));
            Installation installed = Installation.of(checkout, folder, kubeconfig);
            RepeatedCommand kubectl =
                    RepeatedCommand.of(
                            installed.environment(), installed.kubectl(), "get", "tools");
            RepeatedCommand orlojctl =
                    RepeatedCommand.of(
                            installed.environment(), installed.orlojctl(), "get", "tools");
            RepeatedCommand jvm =
                    RepeatedCommand.of(
                            installed.environment(),
                            Path.of(System.getProperty("java.home"), "bin", "java"),
                            "-XX:+UseSerialGC",
                            "-XX:TieredStopAtLevel=1",
                            "-version");
            kubectl.run(RUNS); // and fills its cache of kinds
            orlojctl.run(RUNS);
            for (int round = 0; round < effort.rounds() * ROUNDS_FOR_EACH; round++) {
                rows.add(KUBECTL, "", kubectl.run(RUNS));
                rows.add(ORLOJCTL, "", orlojctl.run(RUNS));
                rows.add(JVM, "", jvm.run(RUNS));
            }
        }
        return table(rows.list());
    }

    private static void createTools(OrlojdProcess orlojd) throws IOException {
        for (int tool = 0; tool < TOOLS; tool++) {
            orlojd.create(
                    "/apis/orloj.dev/v1/namespaces/default/tools",
                    """
                    {"apiVersion": "orloj.dev/v1", "kind": "Tool",
                     "metadata": {"name": "forecast-%d", "labels": {"app": "web"}},
                     "spec": {"type": "http", "description": "The weather forecast of a city.",
                      "endpoint": "http://127.0.0.1:9/weather/{city}",
                      "input_schema": {"type": "object", "required": ["city"],
                       "properties": {"city": {"type": "string"}}}}}
                    """
                            .formatted(tool));
        }
    }

    private static String kubeconfig(OrlojdProcess orlojd) {
        return """
        apiVersion: v1
        kind: Config
        current-context: benchmark
        contexts: [{name: benchmark, context: {cluster: benchmark, namespace: default}}]
        clusters: [{name: benchmark, cluster: {server: "%s"}}]
        """
                .formatted(orlojd.url());
    }

    private Table table(List<Row> rows) {
        Row orlojctl = Table.find(rows, ORLOJCTL, "").orElseThrow();
        Row kubectl = Table.find(rows, KUBECTL, "").orElseThrow();
        return new Table(
                name(),
                summary(),
                "",
                List.of(
                        new Column(RepeatedCommand.WALL, "ms", 1),
                        new Column(RepeatedCommand.CPU, "CPU ms", 1)),
                List.of(RepeatedCommand.WALL, RepeatedCommand.CPU),
                KUBECTL,
                rows,
                List.of(
                        goal("time beside kubectl", orlojctl, kubectl, false),
                        goal("processor time beside kubectl", orlojctl, kubectl, true)),
                List.of(
                        "an installation with its ahead-of-time caches, started by its launcher",
                        "one round is " + RUNS + " runs of each program in a row"));
    }

    private static Goal goal(String text, Row orlojctl, Row kubectl, boolean isCpu) {
        String column = isCpu ? RepeatedCommand.CPU : RepeatedCommand.WALL;
        return new Goal(
                text,
                orlojctl.ratioTo(kubectl, column).orElseThrow(),
                Goal.Bound.AT_MOST,
                isCpu ? MAX_CPU : MAX_WALL);
    }
}
