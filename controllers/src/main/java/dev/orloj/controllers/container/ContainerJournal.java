package dev.orloj.controllers.container;

import dev.orloj.api.ResourceKey;
import dev.orloj.runtime.container.spec.ContainerListener;
import dev.orloj.runtime.container.spec.ContainerOwner;
import dev.orloj.runtime.container.spec.Posture;

import org.jspecify.annotations.Nullable;

import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentMap;
import java.util.function.Consumer;
import java.util.function.UnaryOperator;

/**
 * Records what the engine reports about the image and the container of each server, so that a
 * reconcile works from state. Created before the {@code ContainerEngine} that reports to it.
 * Thread-safe.
 */
public final class ContainerJournal implements ContainerListener {

    /** The state of an image pull. */
    sealed interface Pull {

        String image();

        /**
         * @param progress empty at first
         */
        record Running(String image, String progress) implements Pull {}

        record Done(String image) implements Pull {}

        record Failed(String image, String cause) implements Pull {}
    }

    /**
     * Whether a node takes the latest Pod.
     *
     * @param why why no node takes it; empty if one did
     */
    record Scheduling(String pod, String why) {}

    /**
     * @param uid of the server
     * @param pull absent when the image was present
     * @param scheduling absent for a server that does not run in a Pod
     * @param posture of the latest container; absent before the first
     */
    record Entry(
            String uid,
            @Nullable Pull pull,
            @Nullable Scheduling scheduling,
            @Nullable Posture posture) {}

    private final ConcurrentMap<ResourceKey, Entry> entries = new ConcurrentHashMap<>();
    private volatile Consumer<ResourceKey> wake = server -> {};

    /** Sets the callback that receives each server with a change. */
    public void onChange(Consumer<ResourceKey> wakeUp) {
        wake = wakeUp;
    }

    Optional<Entry> find(ResourceKey server) {
        return Optional.ofNullable(entries.get(server));
    }

    /** Drops the entry of a server that is gone. */
    void forget(ResourceKey server) {
        entries.remove(server);
    }

    @Override
    public void pulling(ContainerOwner owner, String image, String progress) {
        note(owner, entry -> pull(entry, new Pull.Running(image, progress)));
    }

    @Override
    public void pulled(ContainerOwner owner, String image) {
        note(owner, entry -> pull(entry, new Pull.Done(image)));
    }

    @Override
    public void notPulled(ContainerOwner owner, String image, String cause) {
        note(owner, entry -> pull(entry, new Pull.Failed(image, cause)));
    }

    @Override
    public void started(ContainerOwner owner, Posture posture) {
        note(owner, entry -> new Entry(entry.uid(), entry.pull(), entry.scheduling(), posture));
    }

    @Override
    public void scheduled(ContainerOwner owner, String pod, String why) {
        Scheduling scheduling = new Scheduling(pod, why);
        note(owner, entry -> new Entry(entry.uid(), entry.pull(), scheduling, entry.posture()));
    }

    private static Entry pull(Entry entry, Pull pull) {
        return new Entry(entry.uid(), pull, entry.scheduling(), entry.posture());
    }

    private void note(ContainerOwner owner, UnaryOperator<Entry> notification) {
        ResourceKey server = new ResourceKey(owner.namespace(), owner.server());
        entries.compute(
                server,
                (key, entry) ->
                        notification.apply(
                                entry == null || !entry.uid().equals(owner.uid())
                                        ? new Entry(owner.uid(), null, null, null)
                                        : entry));
        wake.accept(server);
    }
}
