package dev.orloj.runtime.observation;

import dev.orloj.runtime.examination.ResultDecision;
import dev.orloj.runtime.observation.CallTrace.Peer;
import dev.orloj.runtime.observation.CallTrace.Phase;
import dev.orloj.runtime.observation.CallTrace.Step;

import org.jspecify.annotations.Nullable;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;

/**
 * Observes one call from the look-up of its tool to its end: records the phases, the session and
 * the sizes, and reports its requests to servers. Each layer that a call passes through reports to
 * it. For the thread of the call.
 */
public final class CallObservation {

    private final CallObserver observer;
    private final long[] nanos = new long[Phase.values().length];
    private final boolean[] entered = new boolean[nanos.length];
    private Phase phase = Phase.CHECK;
    private long since = System.nanoTime();
    private @Nullable Peer peer;
    private OptionalLong requestId = OptionalLong.empty();
    private @Nullable ResultDecision decision;
    private long bytesOut;
    private long bytesIn;

    /** Starts a call in {@link Phase#CHECK}. */
    public CallObservation(CallObserver observer) {
        this.observer = observer;
        entered[phase.ordinal()] = true;
    }

    /** Ends the current phase and enters the next one. */
    public void enter(Phase next) {
        long now = System.nanoTime();
        nanos[phase.ordinal()] += now - since;
        since = now;
        phase = next;
        entered[next.ordinal()] = true;
    }

    /** Sets the session; the last one counts. */
    public void servedBy(Peer session) {
        peer = session;
    }

    /**
     * Reports a request that is about to be sent.
     *
     * @return the observer of its end
     */
    public RequestObserver sent(SentRequest request) {
        return observer.sent(request);
    }

    /**
     * Records that a request to the server has ended in any way.
     *
     * @param id the JSON-RPC id
     */
    public void exchanged(long id, long bytesSent, long bytesReceived) {
        requestId = OptionalLong.of(id);
        bytesOut += bytesSent;
        bytesIn += bytesReceived;
    }

    /** Records the sizes of a request that another replica has sent to the server. */
    public void exchangedElsewhere(long bytesSent, long bytesReceived) {
        bytesOut += bytesSent;
        bytesIn += bytesReceived;
    }

    /** Returns the JSON-RPC id of the latest request recorded by {@link #exchanged}. */
    public OptionalLong requestId() {
        return requestId;
    }

    /** Records what was done about the content of the result. */
    public void decided(ResultDecision done) {
        decision = done;
    }

    /** Returns what {@link #decided} recorded. */
    public Optional<ResultDecision> decision() {
        return Optional.ofNullable(decision);
    }

    /** Ends the call. */
    public CallTrace end() {
        enter(phase);
        List<Step> steps = new ArrayList<>(nanos.length);
        for (Phase each : Phase.values()) {
            if (entered[each.ordinal()]) {
                steps.add(new Step(each, Duration.ofNanos(nanos[each.ordinal()])));
            }
        }
        return new CallTrace(steps, Optional.ofNullable(peer), bytesOut, bytesIn);
    }
}
