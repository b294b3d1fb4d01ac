package dev.orloj.benchmarks.store;

import dev.orloj.api.v1.Tool;
import dev.orloj.benchmarks.database.Database;
import dev.orloj.benchmarks.load.Operation;
import dev.orloj.server.store.Mutation;
import dev.orloj.server.store.PostgresStore;

import tools.jackson.databind.node.ObjectNode;

import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * Ways to write a document durably. Every writer has documents of its own, which it changes in
 * turn, so that writers meet in the log and not at a row.
 */
enum StoreContestant {

    /** The product: read, mutate, compare, write if unchanged. */
    STORE("PostgresStore.write") {
        @Override
        Operation writer(Database database) {
            PostgresStore store = database.store();
            return new Turns("store") {
                @Override
                void write(String name, long stamp) {
                    store.write(
                            Tool.DESCRIPTOR,
                            Documents.key(name),
                            current ->
                                    new Mutation.Outcome.Put(
                                            Documents.stamp(
                                                    current.orElseGet(() -> Documents.tool(name)),
                                                    stamp)));
                }
            };
        }
    },

    /** All that a write has to do, in one round trip, with what to expect and what to store. */
    BARE_FUNCTION("bare function") {
        @Override
        Operation writer(Database database) throws SQLException {
            Connection connection = database.connect();
            PreparedStatement put = connection.prepareStatement(BarePut.CALL);
            return new Turns("bare") {
                private final long[] versions = new long[DOCUMENTS];

                @Override
                void write(String name, long stamp) throws SQLException {
                    int turn = (int) (stamp % DOCUMENTS);
                    put.setString(1, name);
                    put.setLong(2, versions[turn]);
                    put.setString(3, Documents.stamp(document(name), stamp).toString());
                    try (ResultSet result = put.executeQuery()) {
                        result.next();
                        versions[turn] = result.getLong(1);
                    }
                }

                @Override
                public void close() {
                    closeQuietly(connection);
                }
            };
        }
    },

    /** The cheapest durable thing there is: a row, and the fsync of its commit. */
    BARE_INSERT("bare INSERT") {
        @Override
        Operation writer(Database database) throws SQLException {
            Connection connection = database.connect();
            PreparedStatement insert = connection.prepareStatement(BarePut.INSERT);
            return new Turns("row") {
                @Override
                void write(String name, long stamp) throws SQLException {
                    insert.setString(1, Documents.stamp(document(name), stamp).toString());
                    insert.executeUpdate();
                }

                @Override
                public void close() {
                    closeQuietly(connection);
                }
            };
        }
    };

    private static final int DOCUMENTS = 50;
    private static final AtomicInteger WRITERS = new AtomicInteger();

    private final String title;

    StoreContestant(String title) {
        this.title = title;
    }

    String title() {
        return title;
    }

    abstract Operation writer(Database database) throws SQLException;

    private static void closeQuietly(Connection connection) {
        try {
            connection.close();
        } catch (SQLException e) {
            throw new IllegalStateException(e);
        }
    }

    /** One writer: its documents, one after the other, each time with another stamp. */
    private abstract static class Turns implements Operation {

        private final String prefix;
        private final ObjectNode[] documents = new ObjectNode[DOCUMENTS];
        private long stamp;

        Turns(String kind) {
            this.prefix = kind + "-" + WRITERS.incrementAndGet() + "-";
            for (int i = 0; i < DOCUMENTS; i++) {
                documents[i] = Documents.tool(prefix + i);
            }
        }

        ObjectNode document(String name) {
            return documents[Integer.parseInt(name.substring(prefix.length()))];
        }

        @Override
        public void perform() throws SQLException {
            write(prefix + stamp % DOCUMENTS, stamp);
            stamp++;
        }

        abstract void write(String name, long stamp) throws SQLException;
    }
}
