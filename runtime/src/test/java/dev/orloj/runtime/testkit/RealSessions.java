package dev.orloj.runtime.testkit;

import dev.orloj.runtime.clock.SystemScheduler;
import dev.orloj.runtime.session.SessionListener;
import dev.orloj.runtime.session.SessionManager;
import dev.orloj.runtime.session.definition.SessionSettings;
import dev.orloj.runtime.transport.standard.StandardTransports;
import dev.orloj.runtime.workload.Supervisor;

import org.junit.jupiter.api.extension.AfterEachCallback;
import org.junit.jupiter.api.extension.ExtensionContext;

import java.util.Random;

/** A session manager over real processes and connections; closed, it leaves nothing of them. */
public final class RealSessions implements AutoCloseable, AfterEachCallback {

    private final Supervisor supervisor = new Supervisor();
    private final StandardTransports transports =
            new StandardTransports(supervisor, Engines.unused());
    private final SystemScheduler clock = new SystemScheduler();
    private final SessionManager manager;

    public RealSessions() {
        this(new RecordedSessions());
    }

    public RealSessions(SessionListener listener) {
        manager =
                new SessionManager(
                        transports,
                        listener,
                        clock,
                        new Random(1),
                        SessionSettings.withVersion("1.2.3"));
    }

    public SessionManager manager() {
        return manager;
    }

    public SystemScheduler clock() {
        return clock;
    }

    @Override
    public void afterEach(ExtensionContext context) {
        close();
    }

    @Override
    public void close() {
        manager.close();
        transports.close();
        supervisor.close();
        clock.close();
    }
}
