package dev.orloj.server.config;

import dev.orloj.api.client.ResourceClient;
import dev.orloj.controllers.ControlPlane;
import dev.orloj.controllers.pods.PodReconciler;
import dev.orloj.controllers.pods.ReplicaHeartbeat;
import dev.orloj.controllers.replica.Replica;
import dev.orloj.controllers.singleton.SingletonElection;
import dev.orloj.runtime.container.ContainerEngine;
import dev.orloj.runtime.pod.PodEngine;
import dev.orloj.runtime.session.SessionManager;
import dev.orloj.runtime.workload.Supervisor;
import dev.orloj.server.registry.PermanentNamespaces;

import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.context.SmartLifecycle;

import java.net.URI;
import java.time.Duration;
import java.util.Optional;
import java.util.function.Supplier;

/**
 * Starts the controllers last, when orlojd has its port, and stops them before anything they use.
 * The start of the server ends when the catalogue is complete: what was callable before a restart
 * is callable when the server is ready.
 *
 * <p>Its stop is the stop of orlojd as clients see it: not ready any more, then no new calls, while
 * the web server still responds; it returns when calls and processes have ended.
 */
final class ControlLifecycle implements SmartLifecycle {

    private static final Logger log = LoggerFactory.getLogger(ControlLifecycle.class);

    /** Twice this, the time for calls, and what the database takes are to stay below 10 s. */
    private static final Duration MAX_GRACE = Duration.ofMillis(1_200);

    private final ControlPlane controlPlane;
    private final ResourceClient client;
    private final Replica replica;
    private final SessionManager sessions;
    private final Supervisor supervisor;
    private final ContainerEngine containers;
    private final Optional<PodEngine> pods;
    private final Supplier<Optional<URI>> address;
    private volatile boolean running;

    /**
     * @param address at which other replicas reach this one; read once the web server listens
     */
    ControlLifecycle(
            ControlPlane controlPlane,
            ResourceClient client,
            Replica replica,
            SessionManager sessions,
            Supervisor supervisor,
            ContainerEngine containers,
            Optional<PodEngine> pods,
            Supplier<Optional<URI>> address) {
        this.controlPlane = controlPlane;
        this.client = client;
        this.replica = replica;
        this.sessions = sessions;
        this.supervisor = supervisor;
        this.containers = containers;
        this.pods = pods;
        this.address = address;
    }

    @Override
    public void start() {
        running = true;
        PermanentNamespaces.ensure(client);
        // From an earlier run: its remaining processes were killed before anything started.
        PodReconciler.sweep(client, replica.id());
        pods.ifPresent(this::follow);
        address.get().ifPresent(controlPlane.replicas()::advertise);
        controlPlane.start();
        try {
            controlPlane.awaitReady();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IllegalStateException("interrupted while the resources were read", e);
        }
    }

    private void follow(PodEngine engine) {
        controlPlane.onDeadReplica(engine::sweep);
        engine.followServers(
                uid ->
                        !controlPlane.ready()
                                || controlPlane.servers().stream()
                                        .anyMatch(server -> server.metadata().uid().equals(uid)));
    }

    @Override
    public void stop() {
        running = false;
        supervisor.hurry(MAX_GRACE);
        containers.hurry(MAX_GRACE);
        pods.ifPresent(
                engine -> {
                    engine.leave();
                    engine.hurry(MAX_GRACE);
                });
        try {
            controlPlane.stop();
            signOff();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        } finally {
            sessions.close();
            resign();
        }
    }

    /** Without it the other replicas find out by themselves, only later. */
    private void signOff() {
        try {
            ReplicaHeartbeat.signOff(client, replica);
        } catch (RuntimeException e) {
            log.atInfo()
                    .addKeyValue("error", e.toString())
                    .log("The Pods of this replica stay until its Lease expires");
        }
    }

    /** Without it another replica waits as if this one had died. */
    private void resign() {
        if (!sessions.sessions().isEmpty()) {
            return;
        }
        try {
            SingletonElection.resign(client, replica);
        } catch (RuntimeException e) {
            log.atInfo()
                    .addKeyValue("error", e.toString())
                    .log("The singletons of this replica are free when its Lease expires");
        }
    }

    @Override
    public boolean isRunning() {
        return running;
    }
}
