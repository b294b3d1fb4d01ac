import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.List;

/**
 * Prints what is in the database of a data directory as SQL, for a database with the same schema
 * and nothing in it. The orlojd of the directory has to run.
 */
final class Dump {

    private static final String TABLES =
            """
            SELECT c.relname FROM pg_class c
             WHERE c.relnamespace = 'public'::regnamespace AND c.relkind IN ('r', 'p')
               AND NOT c.relispartition AND c.relname <> 'flyway_schema_history'
             ORDER BY c.relname
            """;

    /** The partitions of the log are made by orlojd itself, not by a migration. */
    private static final String PARTITIONS =
            """
            SELECT format('CREATE TABLE resource_change_%1$s_%2$s (LIKE resource_change INCLUDING ALL);'
                          || E'\\nALTER TABLE resource_change_%1$s ATTACH PARTITION'
                          || ' resource_change_%1$s_%2$s FOR VALUES FROM (%2$s) TO (%3$s);',
                          shard, first_rev, end_rev)
              FROM change_partition ORDER BY shard, first_rev
            """;

    private Dump() {}

    public static void main(String[] args) throws Exception {
        Path postgres = Path.of(args[0], "postgres");
        String port = Files.readAllLines(postgres.resolve("data/postmaster.pid")).get(3).strip();
        String password = Files.readString(postgres.resolve("password")).strip();
        String url = "jdbc:postgresql://127.0.0.1:" + port + "/postgres";
        try (Connection connection = DriverManager.getConnection(url, "orloj", password)) {
            connection.setAutoCommit(false);
            connection.setTransactionIsolation(Connection.TRANSACTION_REPEATABLE_READ);
            List<String> tables = rows(connection, TABLES);
            System.out.println("TRUNCATE " + String.join(", ", tables) + ";");
            rows(connection, PARTITIONS).forEach(System.out::println);
            for (String table : tables) {
                rows(connection, inserts(connection, table)).forEach(System.out::println);
            }
        }
    }

    private static String inserts(Connection connection, String table) throws SQLException {
        List<String> columns =
                rows(
                        connection,
                        "SELECT column_name FROM information_schema.columns WHERE table_name = '%s'"
                                        .formatted(table)
                                + " ORDER BY ordinal_position");
        List<String> literals =
                columns.stream().map(column -> "quote_nullable(" + column + "::text)").toList();
        return "SELECT 'INSERT INTO %s (%s) VALUES (' || concat_ws(', ', %s) || ');' FROM %s ORDER BY 1"
                .formatted(table, String.join(", ", columns), String.join(", ", literals), table);
    }

    private static List<String> rows(Connection connection, String sql) throws SQLException {
        List<String> rows = new ArrayList<>();
        try (Statement statement = connection.createStatement();
                ResultSet results = statement.executeQuery(sql)) {
            while (results.next()) {
                rows.add(results.getString(1));
            }
        }
        return rows;
    }
}
