package dev.orloj.server.store.change;

import dev.orloj.api.Frozen;

import org.jspecify.annotations.Nullable;
import org.postgresql.PGConnection;
import org.postgresql.PGNotification;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.Map;

import javax.sql.DataSource;

/**
 * Receives the announcements of committed changes on a connection of its own, and forwards them to
 * the feeds. Without it changes arrive late, but do arrive.
 */
public final class ChangeListener implements AutoCloseable {

    private static final Logger log = LoggerFactory.getLogger(ChangeListener.class);

    private static final Duration RECONNECT_AFTER = Duration.ofSeconds(1);
    private static final int WAIT_MILLIS = 10_000;
    private static final int ANSWER_SECONDS = 5;

    private final DataSource connections;
    private final Map<String, ChangeFeed> feeds;
    private final WakeUp ending = new WakeUp();

    private volatile boolean closed;
    private volatile @Nullable Connection listening;

    /**
     * @param connections direct ones to the database: one is held for good, and a pool that shares
     *     sessions between transactions delivers nothing
     * @param feeds by the name of their shard
     */
    public ChangeListener(DataSource connections, Map<String, ChangeFeed> feeds) {
        this.connections = connections;
        this.feeds = Frozen.map(feeds);
    }

    public void start() {
        Thread.ofVirtual().name("orloj-change-listener").start(this::run);
    }

    private void run() {
        while (!closed) {
            try (Connection connection = connections.getConnection()) {
                listening = connection;
                listen(connection);
            } catch (SQLException e) {
                if (!closed) {
                    log.atWarn()
                            .addKeyValue("error", e.getMessage())
                            .log("Announcements of changes do not arrive, watches poll");
                }
            }
            try {
                if (!closed) {
                    ending.await(RECONNECT_AFTER);
                }
            } catch (InterruptedException e) {
                return;
            }
        }
    }

    private void listen(Connection connection) throws SQLException {
        try (Statement statement = connection.createStatement()) {
            statement.execute("LISTEN orloj_change");
        }
        // Earlier announcements are not repeated.
        feeds.values().forEach(ChangeFeed::announce);
        PGConnection postgres = connection.unwrap(PGConnection.class);
        while (!closed) {
            PGNotification[] notifications = postgres.getNotifications(WAIT_MILLIS);
            for (PGNotification notification : notifications) {
                announce(notification.getParameter());
            }
            // A network that has dropped the connection delivers nothing either.
            if (notifications.length == 0 && !connection.isValid(ANSWER_SECONDS)) {
                throw new SQLException("the connection to the database is silent");
            }
        }
    }

    /**
     * @param change the name of a shard and a revision
     */
    private void announce(String change) {
        int space = change.indexOf(' ');
        ChangeFeed feed = feeds.get(change.substring(0, Math.max(space, 0)));
        if (feed != null) {
            feed.announce(Long.parseLong(change, space + 1, change.length(), 10));
        }
    }

    @Override
    public void close() {
        closed = true;
        ending.raise();
        Connection connection = listening;
        if (connection != null) {
            try {
                // A graceful close would wait for the read that this has to end.
                connection.abort(Runnable::run);
            } catch (SQLException e) {
                log.atDebug().setCause(e).log("Listening connection was gone already");
            }
        }
    }
}
