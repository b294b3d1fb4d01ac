package dev.orloj.runtime.session;

/** Work that requires a session. */
@FunctionalInterface
public interface SessionWork<T> {

    T with(Session session) throws InterruptedException;
}
