package dev.orloj.benchmarks.watch;

import dev.orloj.benchmarks.database.Database;
import dev.orloj.benchmarks.store.BarePut;
import dev.orloj.benchmarks.store.Documents;

import org.postgresql.PGConnection;
import org.postgresql.PGNotification;

import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.sql.Statement;

/** LISTEN and NOTIFY of PostgreSQL, and nothing above it: one listener, and no documents. */
final class NotifyFeed implements Feed {

    private final Database database;
    private final Connection writer;
    private final PreparedStatement put;

    NotifyFeed(Database database) throws SQLException {
        this.database = database;
        this.writer = database.connect();
        this.put = writer.prepareStatement(BarePut.CALL);
    }

    @Override
    public int watchers() {
        return 1;
    }

    @Override
    public Subscription watch(Arrivals.Watcher watcher) throws SQLException {
        Connection listener = database.connect();
        try (Statement listen = listener.createStatement()) {
            listen.execute("LISTEN " + BarePut.CHANNEL);
        }
        Thread thread = Thread.ofPlatform().daemon().start(() -> listen(listener, watcher));
        return () -> {
            listener.abort(Runnable::run);
            thread.join();
        };
    }

    private static void listen(Connection listener, Arrivals.Watcher watcher) {
        try {
            PGConnection notifications = listener.unwrap(PGConnection.class);
            while (true) {
                for (PGNotification notification : notifications.getNotifications(0)) {
                    String key = notification.getParameter();
                    watcher.saw(Long.parseLong(key.substring(key.lastIndexOf('-') + 1)));
                }
            }
        } catch (SQLException e) {
            // The connection was cut: that is how the watch ends.
        }
    }

    @Override
    public void change(long number) throws SQLException {
        String name = "notify-" + number;
        put.setString(1, name);
        put.setLong(2, 0);
        put.setString(3, Documents.stamp(Documents.tool(name), number).toString());
        put.executeQuery().close();
    }

    @Override
    public void close() throws SQLException {
        writer.close();
    }
}
