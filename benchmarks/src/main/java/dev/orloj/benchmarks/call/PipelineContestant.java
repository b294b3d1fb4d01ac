package dev.orloj.benchmarks.call;

import dev.orloj.api.ResourceKey;
import dev.orloj.benchmarks.load.Operation;
import dev.orloj.runtime.call.CallOutcome;
import dev.orloj.runtime.call.CallRequest;
import dev.orloj.runtime.call.OtherReplicas;
import dev.orloj.runtime.call.ServerExchange;
import dev.orloj.runtime.call.ToolCaller;
import dev.orloj.runtime.catalog.ToolCatalog;
import dev.orloj.runtime.catalog.ToolEntry;
import dev.orloj.runtime.clock.SystemScheduler;
import dev.orloj.runtime.container.ContainerEngine;
import dev.orloj.runtime.container.engine.EngineSettings;
import dev.orloj.runtime.container.spec.ContainerListener;
import dev.orloj.runtime.result.KeptResults;
import dev.orloj.runtime.result.ResultLimiter;
import dev.orloj.runtime.session.SessionInfo;
import dev.orloj.runtime.session.SessionListener;
import dev.orloj.runtime.session.SessionManager;
import dev.orloj.runtime.session.definition.ReconnectPolicy;
import dev.orloj.runtime.session.definition.ServerDefinition;
import dev.orloj.runtime.session.definition.SessionKey;
import dev.orloj.runtime.session.definition.SessionSettings;
import dev.orloj.runtime.session.definition.Timeouts;
import dev.orloj.runtime.transport.ServerAddress;
import dev.orloj.runtime.transport.Transports;
import dev.orloj.runtime.transport.standard.StandardTransports;
import dev.orloj.runtime.workload.Supervisor;

import java.io.IOException;
import java.time.Duration;
import java.time.InstantSource;
import java.util.Map;
import java.util.Optional;
import java.util.random.RandomGenerator;

/** All of a call below the front door: catalogue, schema check, session, transport. */
public final class PipelineContestant implements Contestant {

    private static final Duration TIMEOUT = Duration.ofSeconds(30);
    private static final ResourceKey SERVER = new ResourceKey("default", "bench");
    private static final ResourceKey TOOL = new ResourceKey("default", "bench--echo");

    private final SystemScheduler clock = new SystemScheduler();
    private final SessionManager sessions;
    private final ToolCaller caller;
    private final Runnable closeTransports;

    private PipelineContestant(Transports transports, Runnable closeTransports) {
        this.closeTransports = closeTransports;
        this.sessions =
                new SessionManager(
                        transports,
                        new Indifferent(),
                        clock,
                        RandomGenerator.getDefault(),
                        SessionSettings.withVersion("benchmark"));
        ToolCatalog catalog = new ToolCatalog();
        catalog.putServer(
                new ServerDefinition(
                        SERVER,
                        new SessionKey("uid", 1, ""),
                        new ServerAddress.Stdio(
                                EchoServer.command(), Map.of(), Duration.ofSeconds(1)),
                        new ReconnectPolicy(1, Duration.ofSeconds(1)),
                        new Timeouts(Duration.ZERO, TIMEOUT, TIMEOUT, Duration.ZERO)));
        catalog.putTool(
                new ToolEntry(
                        TOOL,
                        "uid",
                        SERVER,
                        "echo",
                        "bench__echo",
                        EchoAnswers.inputSchema(),
                        Optional.empty()));
        this.caller =
                new ToolCaller(
                        catalog,
                        new ServerExchange(catalog, sessions, OtherReplicas.NONE),
                        new ResultLimiter(new KeptResults(clock)),
                        call -> {},
                        InstantSource.system());
    }

    static PipelineContestant open() {
        Supervisor supervisor = new Supervisor();
        ContainerEngine containers =
                new ContainerEngine(new EngineSettings("", "benchmark"), ContainerListener.NONE);
        StandardTransports transports = new StandardTransports(supervisor, containers);
        return new PipelineContestant(
                transports,
                () -> {
                    transports.close();
                    supervisor.close();
                });
    }

    /** Over transports that the caller owns. */
    public static PipelineContestant over(Transports transports) {
        return new PipelineContestant(transports, () -> {});
    }

    @Override
    public String name() {
        return "ToolCaller";
    }

    @Override
    public Operation caller() {
        return this::call;
    }

    /** One call, looked at. */
    public void call() throws InterruptedException, IOException {
        CallOutcome outcome =
                caller.call(
                        new CallRequest(
                                TOOL, PipeContestant.ARGUMENTS, Optional.empty(), "benchmark"));
        if (!(outcome instanceof CallOutcome.Completed completed)) {
            throw new IOException("The call did not succeed: " + outcome);
        }
        PipeContestant.check(completed.result());
    }

    @Override
    public Optional<Duration> cpu() {
        return Optional.empty();
    }

    @Override
    public void close() {
        sessions.close();
        clock.close();
        closeTransports.run();
    }

    private static final class Indifferent implements SessionListener {

        @Override
        public void opened(ResourceKey server, SessionInfo session) {}

        @Override
        public void closed(
                ResourceKey server, SessionInfo session, String cause, boolean failure) {}

        @Override
        public void toolsChanged(ResourceKey server) {}
    }
}
