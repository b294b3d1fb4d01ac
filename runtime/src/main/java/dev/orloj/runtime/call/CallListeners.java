package dev.orloj.runtime.call;

import java.util.List;

/** Notifies several listeners in order. */
public record CallListeners(List<CallListener> listeners) implements CallListener {

    public CallListeners {
        listeners = List.copyOf(listeners);
    }

    @Override
    public void called(CallRecord call) {
        for (CallListener listener : listeners) {
            listener.called(call);
        }
    }
}
