package dev.orloj.server.backup;

import dev.orloj.api.backup.BackupHeader;
import dev.orloj.api.backup.BackupReader;
import dev.orloj.api.backup.BackupWriter;
import dev.orloj.server.postgres.TestPostgres;

import org.flywaydb.core.Flyway;

import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;

/** The tables of a backup: lines of {@code COPY}, in their order. */
record SavedRows(BackupHeader header, Map<String, List<String>> tables) {

    static SavedRows of(byte[] backup) throws IOException {
        BackupReader reader = new BackupReader(new ByteArrayInputStream(backup));
        Map<String, List<String>> tables = new LinkedHashMap<>();
        for (Optional<BackupReader.Entry> entry = reader.next();
                entry.isPresent();
                entry = reader.next()) {
            tables.put(
                    entry.get().table().name(),
                    new String(entry.get().rows().readAllBytes(), StandardCharsets.UTF_8)
                            .lines()
                            .toList());
        }
        return new SavedRows(reader.header(), tables);
    }

    /** Of a database, read without an orlojd. */
    static SavedRows of(TestPostgres.Database database) throws IOException {
        ByteArrayOutputStream out = new ByteArrayOutputStream();
        new DatabaseBackup(
                        database.direct(),
                        new SchemaVersion(Flyway.configure().dataSource(database.direct()).load()),
                        "test",
                        InstantSource.system())
                .writeTo(_ -> out);
        return of(out.toByteArray());
    }

    List<String> rows(String table) {
        return Objects.requireNonNull(tables.get(table), table);
    }

    /** Each row of a table by its columns. */
    List<Map<String, String>> records(String table) {
        List<String> columns = columns(table);
        List<Map<String, String>> records = new ArrayList<>();
        for (String row : rows(table)) {
            String[] fields = row.split("\t", -1);
            Map<String, String> record = new LinkedHashMap<>();
            for (int i = 0; i < fields.length; i++) {
                record.put(columns.get(i), unescaped(fields[i]));
            }
            records.add(record);
        }
        return records;
    }

    /** The text of a value, without what only binary data and control characters need. */
    private static String unescaped(String field) {
        StringBuilder text = new StringBuilder();
        for (int i = 0; i < field.length(); i++) {
            char c = field.charAt(i);
            if (c == '\\') {
                c = field.charAt(++i);
                c = c == 'n' ? '\n' : c == 't' ? '\t' : c == 'r' ? '\r' : c;
            }
            text.append(c);
        }
        return text.toString();
    }

    private List<String> columns(String table) {
        return header.tables().stream()
                .filter(each -> each.name().equals(table))
                .findFirst()
                .orElseThrow()
                .columns();
    }

    /**
     * The rows without a column that a restore is to change, in an order that does not depend on
     * it.
     */
    Map<String, List<String>> without(String column) {
        Map<String, List<String>> rows = new LinkedHashMap<>();
        tables.forEach(
                (table, lines) -> {
                    int index = columns(table).indexOf(column);
                    rows.put(
                            table,
                            lines.stream().map(line -> without(line, index)).sorted().toList());
                });
        return rows;
    }

    private static String without(String line, int index) {
        List<String> fields = new ArrayList<>(Arrays.asList(line.split("\t", -1)));
        if (index >= 0) {
            fields.remove(index);
        }
        return String.join("\t", fields);
    }

    /** A backup with the rows of one table from elsewhere. */
    byte[] with(String table, BackupWriter.Content rows) throws IOException {
        ByteArrayOutputStream out = new ByteArrayOutputStream();
        BackupWriter writer = new BackupWriter(out, header);
        for (Map.Entry<String, List<String>> each : tables.entrySet()) {
            writer.table(
                    each.getKey(),
                    each.getKey().equals(table)
                            ? rows
                            : to -> {
                                for (String line : each.getValue()) {
                                    to.write((line + "\n").getBytes(StandardCharsets.UTF_8));
                                }
                            });
        }
        writer.finish();
        return out.toByteArray();
    }
}
