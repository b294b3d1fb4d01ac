package dev.orloj.runtime.observation;

import java.util.List;
import java.util.function.Function;
import java.util.function.Supplier;

/** Notifies several observers in order. */
public record CallObservers(List<CallObserver> observers) implements CallObserver {

    public CallObservers {
        observers = List.copyOf(observers);
    }

    @Override
    public RequestObserver served(Supplier<ServedRequest> request) {
        return begun(observer -> observer.served(request));
    }

    @Override
    public RequestObserver sent(SentRequest request) {
        return begun(observer -> observer.sent(request));
    }

    private RequestObserver begun(Function<CallObserver, RequestObserver> begin) {
        RequestObserver all = RequestObserver.NONE;
        for (CallObserver observer : observers) {
            all = all.and(begin.apply(observer));
        }
        return all;
    }

    @Override
    public void called(CallRecord call) {
        for (CallObserver observer : observers) {
            observer.called(call);
        }
    }
}
