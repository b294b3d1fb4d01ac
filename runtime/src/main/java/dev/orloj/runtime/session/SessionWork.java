package dev.orloj.runtime.session;

/** Something to do with a session. */
@FunctionalInterface
public interface SessionWork<T> {

    T with(Session session) throws InterruptedException;
}
