package dev.orloj.benchmarks.load;

/** What one caller does again and again, with whatever it keeps open in between. */
@FunctionalInterface
public interface Operation extends AutoCloseable {

    /** Returns when the answer is there; any exception counts as an error. */
    void perform() throws Exception;

    /** May be called while another thread is inside {@link #perform}, which then fails. */
    @Override
    default void close() {}

    /** Makes one for each caller. */
    @FunctionalInterface
    interface Factory {
        Operation create() throws Exception;
    }
}
