package dev.orloj.controllers.control;

import dev.orloj.api.Kind;
import dev.orloj.controllers.informer.Informer;
import dev.orloj.controllers.informer.Informers;

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

    private final List<Informer<?>> prerequisites;
    private final List<Informer<?>> informers;
    private final List<Controller> controllers;
    private final Thread starter;
    private final CountDownLatch ready = new CountDownLatch(1);
    private volatile boolean stopped;

    /**
     * @param prerequisites kinds whose informers sync before the others start: what they follow
     *     decides about what the others follow
     */
    public ControllerManager(
            Informers informers, List<Kind<?>> prerequisites, List<Controller> controllers) {
        this.prerequisites = prerequisites.stream().<Informer<?>>map(informers::of).toList();
        this.informers = informers.all();
        this.controllers = List.copyOf(controllers);
        this.starter =
                Thread.ofVirtual().name("controllers-start").unstarted(this::startControllers);
    }

    /** Returns immediately. {@link #ready} returns true when everything runs. */
    public void start() {
        starter.start();
    }

    private void startControllers() {
        try {
            startAndAwait(prerequisites);
            startAndAwait(informers.stream().filter(i -> !prerequisites.contains(i)).toList());
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

    private static void startAndAwait(List<Informer<?>> informers) throws InterruptedException {
        informers.forEach(Informer::start);
        for (Informer<?> informer : informers) {
            informer.awaitSynced();
        }
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
