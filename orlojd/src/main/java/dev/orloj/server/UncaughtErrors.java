package dev.orloj.server;

import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

import java.lang.Thread.UncaughtExceptionHandler;

/** Logs the end of a thread and its cause, in addition to stderr. */
final class UncaughtErrors implements UncaughtExceptionHandler {

    private static final Logger log = LoggerFactory.getLogger(UncaughtErrors.class);

    static void log() {
        Thread.setDefaultUncaughtExceptionHandler(new UncaughtErrors());
    }

    @Override
    public void uncaughtException(Thread thread, Throwable error) {
        try {
            log.atError()
                    .addKeyValue("thread", thread.getName())
                    .setCause(error)
                    .log("Thread ended by an error");
        } catch (Throwable second) { // there may be no memory for the log
            System.err.println("orlojd: a thread ended by an error");
        }
    }
}
