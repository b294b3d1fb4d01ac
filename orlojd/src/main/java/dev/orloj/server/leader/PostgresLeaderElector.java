package dev.orloj.server.leader;

import com.google.errorprone.annotations.concurrent.GuardedBy;

import dev.orloj.controllers.control.LeaderElector;

import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Duration;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;

import javax.sql.DataSource;

/**
 * Elects a leader among the replicas of one database with an advisory lock. The lock lives as long
 * as the connection that acquired it: a replica that dies, or loses its database, loses the lock.
 * When a host vanishes, its replica loses the lock once the database detects that.
 *
 * <p>A replica whose connection broke unnoticed may consider itself the leader for up to two {@link
 * #PERIOD}s after another was elected. A leader's writes use optimistic concurrency, so two leaders
 * cause conflicts, not inconsistency. Safe for many threads.
 */
public final class PostgresLeaderElector implements LeaderElector, AutoCloseable {

    /**
     * How often a replica tries to become the leader, and how often the leader verifies its lock.
     */
    static final Duration PERIOD = Duration.ofSeconds(2);

    private static final Logger log = LoggerFactory.getLogger(PostgresLeaderElector.class);
    private static final String TRY_LOCK = "SELECT pg_try_advisory_lock(?)";
    private static final long LOCK = 0x6f726c6f6aL; // "orloj" in ASCII

    private final DataSource database;
    private final Thread thread = Thread.ofVirtual().name("leader-elector").unstarted(this::run);
    private final CountDownLatch closing = new CountDownLatch(1);
    private final ReentrantLock lock = new ReentrantLock();
    private final Condition elected = lock.newCondition();

    @GuardedBy("lock")
    private boolean leading;

    /**
     * @param database returns a new connection each time, and closes it for good: a pool would keep
     *     the lock with a returned connection. Its settings make PostgreSQL detect soon when this
     *     host is gone
     */
    public PostgresLeaderElector(DataSource database) {
        this.database = database;
    }

    public void start() {
        thread.start();
    }

    @Override
    public void awaitLeadership() throws InterruptedException {
        lock.lock();
        try {
            while (!leading) {
                elected.await();
            }
        } finally {
            lock.unlock();
        }
    }

    /** Returns whether this replica is the leader. */
    public boolean isLeading() {
        lock.lock();
        try {
            return leading;
        } finally {
            lock.unlock();
        }
    }

    private void run() {
        try {
            do {
                campaign();
            } while (!closing.await(PERIOD.toMillis(), TimeUnit.MILLISECONDS));
        } catch (InterruptedException e) {
            log.atDebug().log("Leader election was interrupted");
        }
    }

    /** Returns when the connection to the database is lost, or on close. */
    private void campaign() throws InterruptedException {
        try (Connection connection = database.getConnection()) {
            while (!tryLock(connection)) {
                if (closing.await(PERIOD.toMillis(), TimeUnit.MILLISECONDS)) {
                    return;
                }
            }
            lead(connection);
        } catch (SQLException e) {
            log.atWarn()
                    .addKeyValue("error", e.getMessage())
                    .log("Leader election lost its database");
        }
    }

    private void lead(Connection connection) throws InterruptedException, SQLException {
        transition(true);
        try {
            while (!closing.await(PERIOD.toMillis(), TimeUnit.MILLISECONDS)) {
                if (!connection.isValid((int) PERIOD.toSeconds())) {
                    throw new SQLException("the connection that holds the leader's lock broke");
                }
            }
        } finally {
            transition(false);
        }
    }

    private void transition(boolean leads) {
        lock.lock();
        try {
            leading = leads;
            elected.signalAll();
        } finally {
            lock.unlock();
        }
        log.atInfo().log(leads ? "This replica leads" : "This replica leads no more");
    }

    private static boolean tryLock(Connection connection) throws SQLException {
        try (PreparedStatement statement = connection.prepareStatement(TRY_LOCK)) {
            statement.setLong(1, LOCK);
            try (ResultSet result = statement.executeQuery()) {
                return result.next() && result.getBoolean(1);
            }
        }
    }

    /** Resigns leadership, if held; returns when another replica may acquire it. */
    @Override
    public void close() throws InterruptedException {
        closing.countDown();
        thread.join();
    }
}
