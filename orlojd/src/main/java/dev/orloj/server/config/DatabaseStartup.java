package dev.orloj.server.config;

import dev.orloj.server.postgres.DirectoryLock;
import dev.orloj.server.postgres.EmbeddedPostgres;
import dev.orloj.server.properties.InvalidConfigurationException;
import dev.orloj.server.startup.DefaultHttpsPort;
import dev.orloj.server.startup.MigrationProgress;
import dev.orloj.server.startup.Preflight;
import dev.orloj.server.startup.StartupProgress;

import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.boot.context.event.ApplicationEnvironmentPreparedEvent;
import org.springframework.context.ApplicationContextInitializer;
import org.springframework.context.ApplicationListener;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.core.env.ConfigurableEnvironment;

import java.io.IOException;
import java.nio.file.Path;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.FutureTask;

/**
 * Locks the data directory for this process as soon as the configuration is known, and starts the
 * embedded PostgreSQL there, in parallel to the start of everything else: it costs the critical
 * path next to nothing. When a database is configured, it only locks the directory, which holds the
 * name of the replica.
 */
public final class DatabaseStartup
        implements ApplicationListener<ApplicationEnvironmentPreparedEvent>,
                ApplicationContextInitializer<ConfigurableApplicationContext>,
                AutoCloseable {

    private static final Logger log = LoggerFactory.getLogger(DatabaseStartup.class);

    private final StartupProgress progress;
    private volatile @Nullable EmbeddedPostgres embedded;
    private volatile @Nullable FutureTask<EmbeddedPostgres> starting;
    private volatile @Nullable DirectoryLock directory;

    public DatabaseStartup(StartupProgress progress) {
        this.progress = progress;
    }

    @Override
    public void onApplicationEvent(ApplicationEnvironmentPreparedEvent event) {
        ConfigurableEnvironment environment = event.getEnvironment();
        String url = environment.getProperty("orloj.database.url", "");
        Path dataDir = DataDirectory.of(environment).path();
        EmbeddedPostgres postgres = null;
        if (url.isBlank()) {
            postgres = new EmbeddedPostgres(dataDir.resolve("postgres"), progress);
            embedded = postgres;
            close(dataDir);
            postgres.reserve();
        } else {
            directory = take(dataDir);
        }
        DefaultHttpsPort.choose(environment, dataDir);
        // Not before: another orlojd has the directory and the port, and the first says more.
        Preflight.check(environment, KeyConfiguration.source(environment, dataDir));
        if (postgres != null) {
            starting = start(postgres);
        }
    }

    private static FutureTask<EmbeddedPostgres> start(EmbeddedPostgres postgres) {
        FutureTask<EmbeddedPostgres> task =
                new FutureTask<>(
                        () -> {
                            postgres.start();
                            return postgres;
                        });
        Thread.ofVirtual().name("embedded-postgres-start").start(task);
        return task;
    }

    /** To other users. What stands in the way is reported by what comes next. */
    private static void close(Path dataDir) {
        try {
            new DataDirectory(dataDir).prepare();
        } catch (IOException e) {
            // Locking the directory fails as well, with the reason.
        }
    }

    private static DirectoryLock take(Path dataDir) {
        try {
            return DirectoryLock.acquire(new DataDirectory(dataDir).prepare());
        } catch (IOException e) {
            throw new InvalidConfigurationException(
                    "the data directory \"%s\" cannot be used: %s; choose another --data-dir"
                            .formatted(dataDir, e),
                    e);
        }
    }

    @Override
    public void initialize(ConfigurableApplicationContext context) {
        context.getBeanFactory().registerSingleton("databaseStartup", this);
        context.getBeanFactory()
                .registerSingleton("migrationProgress", new MigrationProgress(progress));
    }

    /**
     * Waits until the database accepts connections.
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

    /** Stops what was started, and releases the directory. */
    @Override
    public void close() {
        DirectoryLock taken = directory;
        if (taken != null) {
            try {
                taken.close();
            } catch (IOException e) {
                log.atDebug().setCause(e).log("The data directory was given back already");
            }
        }
        FutureTask<EmbeddedPostgres> task = starting;
        EmbeddedPostgres postgres = embedded;
        if (task == null && postgres != null) {
            postgres.close(); // it has the directory
        } else if (task != null) {
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
