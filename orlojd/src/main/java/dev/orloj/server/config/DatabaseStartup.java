package dev.orloj.server.config;

import dev.orloj.server.postgres.EmbeddedPostgres;

import org.jspecify.annotations.Nullable;
import org.springframework.boot.context.event.ApplicationEnvironmentPreparedEvent;
import org.springframework.context.ApplicationContextInitializer;
import org.springframework.context.ApplicationListener;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.core.env.Environment;

import java.nio.file.Path;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.FutureTask;

/**
 * Starts the embedded PostgreSQL as soon as the configuration is known, beside the start of
 * everything else: it costs the critical path next to nothing. Does nothing when a database is
 * configured.
 */
public final class DatabaseStartup
        implements ApplicationListener<ApplicationEnvironmentPreparedEvent>,
                ApplicationContextInitializer<ConfigurableApplicationContext>,
                AutoCloseable {

    private volatile @Nullable FutureTask<EmbeddedPostgres> starting;

    @Override
    public void onApplicationEvent(ApplicationEnvironmentPreparedEvent event) {
        Environment environment = event.getEnvironment();
        String url = environment.getProperty("orloj.database.url", "");
        if (url.isBlank()) {
            Path dataDir = DataDirectory.of(environment).path();
            FutureTask<EmbeddedPostgres> task =
                    new FutureTask<>(
                            () -> {
                                EmbeddedPostgres postgres =
                                        new EmbeddedPostgres(dataDir.resolve("postgres"));
                                postgres.start();
                                return postgres;
                            });
            starting = task;
            Thread.ofVirtual().name("embedded-postgres-start").start(task);
        }
    }

    @Override
    public void initialize(ConfigurableApplicationContext context) {
        context.getBeanFactory().registerSingleton("databaseStartup", this);
    }

    /**
     * Waits until the database takes connections.
     *
     * @throws IllegalStateException when a database of the operator's is configured instead
     */
    EmbeddedPostgres embedded() {
        FutureTask<EmbeddedPostgres> task = starting;
        if (task == null) {
            throw new IllegalStateException("orloj.database.url is set: no PostgreSQL was started");
        }
        try {
            return task.get();
        } catch (ExecutionException e) {
            throw e.getCause() instanceof RuntimeException cause
                    ? cause
                    : new IllegalStateException(e.getCause());
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IllegalStateException("interrupted while PostgreSQL was starting", e);
        }
    }

    /** Stops what was started; for a start that failed half-way. */
    @Override
    public void close() {
        FutureTask<EmbeddedPostgres> task = starting;
        if (task != null) {
            try {
                task.get().close();
            } catch (ExecutionException e) {
                // It never ran: the start has reported why.
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
            }
        }
    }
}
