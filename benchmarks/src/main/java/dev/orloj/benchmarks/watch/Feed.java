package dev.orloj.benchmarks.watch;

/** A source of changes for watchers. */
interface Feed extends AutoCloseable {

    /** How many watch. */
    int watchers();

    /**
     * Begins to watch on a thread of its own.
     *
     * @return ends the watch and waits for its thread
     */
    Subscription watch(Arrivals.Watcher watcher) throws Exception;

    /** Makes a change durable that carries this number. */
    void change(long number) throws Exception;

    @Override
    void close() throws Exception;

    /** A running watch. */
    interface Subscription {
        void end() throws Exception;
    }
}
