package dev.orloj.benchmarks.call;

import dev.orloj.benchmarks.load.ClosedLoop;
import dev.orloj.benchmarks.suite.Effort;
import dev.orloj.benchmarks.suite.MeasuredProcess;
import dev.orloj.benchmarks.suite.OrlojdProcess;

import java.net.URI;
import java.time.Duration;
import java.util.List;

/** Calls of eight callers, for those who measure what calls leave behind. */
public final class MemoryLoad {

    private static final int CALLERS = 8;

    private MemoryLoad() {}

    /** Calls through every way to call a tool. */
    public static void orlojd(OrlojdProcess orlojd, Effort effort) throws Exception {
        orlojd.create(EchoManifest.SERVERS, EchoManifest.of(HttpContestant.SERVER, ""));
        orlojd.await(EchoManifest.toolPath(HttpContestant.SERVER), tool -> true);
        for (HttpCall call :
                List.of(
                        HttpContestant.rest(),
                        HttpCall.stateless(HttpContestant.ENDPOINT),
                        HttpCall.inSession(orlojd.url(), HttpContestant.ENDPOINT))) {
            run(call, orlojd.url(), effort);
        }
    }

    /** The same load for the bare Tomcat. */
    public static void floor(MeasuredProcess floor, Effort effort) throws Exception {
        for (int turn = 0; turn < 3; turn++) {
            run(HttpCall.rest("/call"), URI.create(floor.readyText()), effort);
        }
    }

    private static void run(HttpCall call, URI server, Effort effort) throws Exception {
        ClosedLoop.run(CALLERS, () -> call.caller(server), Duration.ZERO, effort.warmUp());
    }
}
