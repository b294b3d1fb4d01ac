package dev.orloj.benchmarks.call;

import dev.orloj.benchmarks.report.Table;
import dev.orloj.benchmarks.suite.Benchmark;
import dev.orloj.benchmarks.suite.Effort;
import dev.orloj.benchmarks.suite.MeasuredProcess;
import dev.orloj.benchmarks.suite.OrlojdProcess;
import dev.orloj.benchmarks.suite.Workplace;

import java.net.URI;
import java.util.List;
import java.util.stream.Stream;

/**
 * Calls of a tool whose server is reached over HTTP, beside the least that such a call can cost,
 * and beside the call without a gateway.
 */
public final class HttpBackendBenchmark implements Benchmark {

    private static final String DIRECT = "echo server";
    private static final String SESSION = "orlojd /mcp 2025-11-25";
    private static final String REST = "orlojd REST";

    private static final List<String> NOTES =
            List.of(
                    "closed loop: each caller sends its next call when the answer is there",
                    "all call one echo server over HTTP, in a JVM of its own; the floor does it"
                            + " with a pooled client in the thread of the request",
                    "\"echo server\": the same without a gateway");

    @Override
    public String name() {
        return "http";
    }

    @Override
    public String summary() {
        return "tools/call of a server over HTTP, over MCP and REST";
    }

    @Override
    public Table run(Effort effort, Workplace workplace) throws Exception {
        try (MeasuredProcess echo = EchoHttpServer.start(workplace)) {
            URI url = URI.create(echo.readyText());
            String manifest = EchoManifest.http(HttpContestant.SERVER, url);
            try (OrlojdProcess orlojd = HttpContestant.start(workplace, manifest);
                    HttpContestant floor =
                            HttpContestant.floor(TomcatFloor.start(workplace, url))) {
                HttpCall inSession = HttpCall.inSession(orlojd.url(), HttpContestant.ENDPOINT);
                HttpCall direct = HttpCall.stateless(url.getPath());
                CallRounds rounds =
                        new CallRounds(
                                        effort,
                                        List.of(
                                                HttpContestant.of(SESSION, orlojd, inSession),
                                                HttpContestant.of(
                                                        REST, orlojd, HttpContestant.rest()),
                                                floor,
                                                HttpContestant.of(
                                                        DIRECT, url.resolve("/"), direct, echo)))
                                .run();
                return rounds.table(
                        name(),
                        summary(),
                        Stream.of(SESSION, REST).flatMap(s -> rounds.goals(s).stream()).toList(),
                        NOTES);
            }
        }
    }
}
