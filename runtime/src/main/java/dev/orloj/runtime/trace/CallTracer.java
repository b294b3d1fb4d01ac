package dev.orloj.runtime.trace;

import dev.orloj.runtime.trace.CallTrace.Peer;
import dev.orloj.runtime.trace.CallTrace.Phase;
import dev.orloj.runtime.trace.CallTrace.Step;

import org.jspecify.annotations.Nullable;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;

/**
 * Follows one call through its phases, on the thread of the call. Whoever is on the way finds it
 * with {@link #current}; outside a call there is one that nobody will read.
 */
public final class CallTracer {

    private static final ScopedValue<CallTracer> CURRENT = ScopedValue.newInstance();

    private final long[] nanos = new long[Phase.values().length];
    private final boolean[] entered = new boolean[nanos.length];
    private Phase phase = Phase.CHECK;
    private long since = System.nanoTime();
    private @Nullable Peer peer;
    private OptionalLong requestId = OptionalLong.empty();
    private long bytesOut;
    private long bytesIn;

    /** A call that begins now, with {@link Phase#CHECK}. */
    public CallTracer() {
        entered[phase.ordinal()] = true;
    }

    public static CallTracer current() {
        return CURRENT.isBound() ? CURRENT.get() : new CallTracer();
    }

    /** Where the work of the call is done, to which this is {@link #current}. */
    public ScopedValue.Carrier scope() {
        return ScopedValue.where(CURRENT, this);
    }

    /** The phase so far is over, for now at least. */
    public void enter(Phase next) {
        long now = System.nanoTime();
        nanos[phase.ordinal()] += now - since;
        since = now;
        phase = next;
        entered[next.ordinal()] = true;
    }

    /** Of several, the last one counts. */
    public void servedBy(Peer session) {
        peer = session;
    }

    /**
     * A request to the server has ended, one way or the other.
     *
     * @param id what JSON-RPC calls it
     */
    public void exchanged(long id, long bytesSent, long bytesReceived) {
        requestId = OptionalLong.of(id);
        bytesOut += bytesSent;
        bytesIn += bytesReceived;
    }

    /** Another replica has sent a request to the server, and got this much of an answer. */
    public void exchangedElsewhere(long bytesSent, long bytesReceived) {
        bytesOut += bytesSent;
        bytesIn += bytesReceived;
    }

    /** The JSON-RPC id of the latest request that {@link #exchanged} heard of. */
    public OptionalLong requestId() {
        return requestId;
    }

    /** The call is over. */
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
