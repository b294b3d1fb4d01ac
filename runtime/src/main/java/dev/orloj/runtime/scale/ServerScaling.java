package dev.orloj.runtime.scale;

import dev.orloj.api.ResourceKey;

import java.time.Duration;
import java.time.Instant;
import java.util.Optional;
import java.util.function.Consumer;

/** What a controller reads and decides about the targets of servers. Thread-safe. */
public interface ServerScaling {

    /**
     * The state of a target that no session needs.
     *
     * @param note what is known of it, or why it cannot be scaled; empty if there is nothing to say
     * @param lookAgain when to call {@link #rest} again
     */
    record Rest(String note, Duration lookAgain) {}

    /**
     * A session waits for its target.
     *
     * @param since when the wait began
     * @param state of the target, as a sentence without its end
     * @param atMost how long the wait may take
     */
    record ScalingUp(Instant since, String state, Duration atMost) {}

    /**
     * Scales the target of a server to zero, once no replica has had a session with it for the idle
     * time. Does not wait. Called again and again while the server has no session here.
     */
    Rest rest(ScaledServer server, Duration idle);

    /** Returns for what a session with the server waits. */
    Optional<ScalingUp> scalingUp(ResourceKey server);

    /** A server no longer has the target that {@link #rest} was called with last, if it was. */
    void forget(ResourceKey server);

    /** A server is deleted: removes the Lease of its target, and leaves the target as it is. */
    void delete(ScaledServer server);

    /** Sets what is called with a server after its state here has changed. */
    void onChange(Consumer<ResourceKey> listener);

    /** For an orlojd that has no cluster. */
    ServerScaling NONE =
            new ServerScaling() {
                @Override
                public Rest rest(ScaledServer server, Duration idle) {
                    return new Rest("", Duration.ofMinutes(1));
                }

                @Override
                public Optional<ScalingUp> scalingUp(ResourceKey server) {
                    return Optional.empty();
                }

                @Override
                public void forget(ResourceKey server) {}

                @Override
                public void delete(ScaledServer server) {}

                @Override
                public void onChange(Consumer<ResourceKey> listener) {}
            };
}
