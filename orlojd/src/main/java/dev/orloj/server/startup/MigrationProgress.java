package dev.orloj.server.startup;

import org.flywaydb.core.api.callback.Callback;
import org.flywaydb.core.api.callback.Context;
import org.flywaydb.core.api.callback.Event;

import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Consumer;

/** Prints a message when the start creates or migrates the database tables. */
public final class MigrationProgress implements Callback {

    private final Consumer<String> progress;
    private final AtomicBoolean printed = new AtomicBoolean();

    public MigrationProgress(Consumer<String> progress) {
        this.progress = progress;
    }

    @Override
    public boolean supports(Event event, Context context) {
        return event == Event.BEFORE_EACH_MIGRATE;
    }

    @Override
    public boolean canHandleInTransaction(Event event, Context context) {
        return true;
    }

    @Override
    public void handle(Event event, Context context) {
        if (printed.compareAndSet(false, true)) {
            progress.accept("bringing the tables of the database up to date");
        }
    }

    @Override
    public String getCallbackName() {
        return "progress of the start";
    }
}
