package dev.orloj.benchmarks.replicas;

import dev.orloj.benchmarks.database.Database;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;

/**
 * The processes of PostgreSQL that serve the connections of one application. What ends meanwhile no
 * longer counts. For one thread.
 */
final class Backends implements AutoCloseable {

    private static final String OF_APPLICATION =
            "SELECT pid FROM pg_stat_activity WHERE application_name = ?";

    private final Connection connection;

    Backends(Database database) throws SQLException {
        this.connection = database.connect();
    }

    /** Returns the number of connections. */
    int count(String application) throws SQLException {
        return processes(application).size();
    }

    /** Returns the processor time that they have used, in nanoseconds. */
    long cpu(String application) throws SQLException, IOException {
        long total = 0;
        for (long process : processes(application)) {
            total += cpu(process);
        }
        return total;
    }

    private List<Long> processes(String application) throws SQLException {
        List<Long> found = new ArrayList<>();
        try (PreparedStatement statement = connection.prepareStatement(OF_APPLICATION)) {
            statement.setString(1, application);
            try (ResultSet result = statement.executeQuery()) {
                while (result.next()) {
                    found.add(result.getLong(1));
                }
            }
        }
        return found;
    }

    /** The time of the scheduler: a process that wakes often and briefly has too few ticks. */
    private static long cpu(long process) throws IOException {
        try {
            String times = Files.readString(Path.of("/proc/" + process + "/schedstat"));
            return Long.parseLong(times.substring(0, times.indexOf(' ')));
        } catch (NoSuchFileException e) {
            return 0; // ended meanwhile
        }
    }

    @Override
    public void close() throws SQLException {
        connection.close();
    }
}
