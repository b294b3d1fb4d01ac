package dev.orloj.server.config;

import dev.orloj.api.ApiException;
import dev.orloj.api.ErrorReason;
import dev.orloj.api.client.ResourceClient;
import dev.orloj.api.v1.Namespace;
import dev.orloj.controllers.ControlPlane;
import org.springframework.context.SmartLifecycle;

/**
 * Starts the controllers last, when the port is surely ours, and stops them before anything they
 * use. The start of the server ends when the catalogue is complete: what was callable before a
 * restart is callable when the server says that it is ready.
 */
final class ControlLifecycle implements SmartLifecycle {

    private final ControlPlane controlPlane;
    private final ResourceClient client;
    private volatile boolean running;

    ControlLifecycle(ControlPlane controlPlane, ResourceClient client) {
        this.controlPlane = controlPlane;
        this.client = client;
    }

    @Override
    public void start() {
        running = true;
        createDefaultNamespace();
        controlPlane.start();
        try {
            controlPlane.awaitReady();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IllegalStateException("interrupted while the resources were read", e);
        }
    }

    private void createDefaultNamespace() {
        try {
            client.create(Namespace.KIND, Namespace.of(Namespace.DEFAULT));
        } catch (ApiException e) {
            if (e.reason() != ErrorReason.ALREADY_EXISTS) {
                throw e;
            }
        }
    }

    @Override
    public void stop() {
        try {
            controlPlane.stop();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        } finally {
            running = false;
        }
    }

    @Override
    public boolean isRunning() {
        return running;
    }
}
