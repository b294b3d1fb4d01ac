package dev.orloj.controllers.control;

import dev.orloj.controllers.informer.Informer;

import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

import java.util.List;
import java.util.concurrent.CountDownLatch;

/**
 * Starts the informers and, after all of them have synced, the controllers. Stops them in reverse
 * order. Used once.
 */
public final class ControllerManager {

    private static final Logger log = LoggerFactory.getLogger(ControllerManager.class);

    private final List<Informer<?>> informers;
    private final List<Controller> controllers;
    private final Thread starter;
    private final CountDownLatch ready = new CountDownLatch(1);
    private volatile boolean stopped;

    public ControllerManager(List<Informer<?>> informers, List<Controller> controllers) {
        this.informers = List.copyOf(informers);
        this.controllers = List.copyOf(controllers);
        this.starter =
                Thread.ofVirtual().name("controllers-start").unstarted(this::startControllers);
    }

    /** Returns immediately. {@link #ready} returns true when everything runs. */
    public void start() {
        informers.forEach(Informer::start);
        starter.start();
    }

    private void startControllers() {
        try {
            for (Informer<?> informer : informers) {
                informer.awaitSynced();
            }
        } catch (InterruptedException e) {
            log.atInfo().log("Stopped before the first lists were complete");
            return;
        }
        controllers.forEach(Controller::start);
        ready.countDown();
        log.atInfo()
                .addKeyValue("controllers", controllers.stream().map(Controller::name).toList())
                .log("Controllers started");
    }

    /** Returns whether all informers have synced and the controllers run. */
    public boolean ready() {
        return ready.getCount() == 0 && !stopped;
    }

    /** Returns when all informers have synced and the controllers run. */
    public void awaitReady() throws InterruptedException {
        ready.await();
    }

    /** Returns when no reconciler or handler is called any more. */
    public void stop() throws InterruptedException {
        stopped = true;
        starter.interrupt();
        starter.join();
        for (Controller controller : controllers.reversed()) {
            controller.stop();
        }
        for (Informer<?> informer : informers.reversed()) {
            informer.close();
        }
    }
}
