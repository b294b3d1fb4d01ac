package dev.orloj.server.upgrade;

import dev.orloj.api.codec.Json;
import dev.orloj.server.postgres.TestPostgres;

import org.flywaydb.core.Flyway;

import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.Map;
import java.util.TreeMap;

/**
 * What the data directory of an older orlojd held, and what that one answered.
 *
 * @param version the one that the list of ConfigMaps had before the last changes
 * @param answers to GET, by path; resources in lists have their own paths
 */
record LeftData(Path folder, String version, Map<String, JsonNode> answers) {

    /**
     * @param commit a folder in {@code src/test/upgrade}, where a README says how it was made
     */
    static LeftData of(String commit) throws IOException {
        Path folder = Path.of("src/test/upgrade", commit);
        Map<String, JsonNode> answers = new TreeMap<>();
        for (String line : Files.readAllLines(folder.resolve("answers.tsv"))) {
            String[] cells = line.split("\t", 2);
            JsonNode answer = Json.MAPPER.readTree(cells[1]);
            if (answer.has("items")) {
                answer.path("items")
                        .forEach(
                                item ->
                                        answers.put(
                                                pathOf(cells[0], item), complete(answer, item)));
            } else {
                answers.put(cells[0], answer);
            }
        }
        return new LeftData(folder, Files.readString(folder.resolve("version")).strip(), answers);
    }

    private static String pathOf(String list, JsonNode item) {
        return list + "/" + item.at("/metadata/name").asString();
    }

    /** Lists of core kinds leave out what their own kind says. */
    private static JsonNode complete(JsonNode list, JsonNode item) {
        return ((ObjectNode) item)
                .put("apiVersion", list.path("apiVersion").asString())
                .put("kind", list.path("kind").asString().replaceFirst("List$", ""));
    }

    /** A database with the schema of then, and what was in it. */
    TestPostgres.Database restore() throws IOException, SQLException {
        TestPostgres.Database database = TestPostgres.emptyDatabase();
        Flyway.configure()
                .dataSource(database.direct())
                .locations("filesystem:" + folder.resolve("migration"))
                .load()
                .migrate();
        try (Connection connection = database.direct().getConnection();
                Statement statement = connection.createStatement()) {
            statement.setEscapeProcessing(false);
            statement.execute(Files.readString(folder.resolve("data.sql")));
        }
        return database;
    }

    /** A data directory with the files of then. */
    Path dataDirectory(Path parent) throws IOException {
        Path data = Files.createDirectories(parent.resolve("data"));
        for (String file : new String[] {"secret.key", "replica-id"}) {
            Files.copy(folder.resolve(file), data.resolve(file));
        }
        return data;
    }
}
