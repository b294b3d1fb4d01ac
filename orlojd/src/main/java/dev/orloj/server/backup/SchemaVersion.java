package dev.orloj.server.backup;

import org.flywaydb.core.Flyway;
import org.flywaydb.core.api.MigrationInfo;
import org.flywaydb.core.api.MigrationVersion;

import java.util.Arrays;
import java.util.Objects;

import javax.sql.DataSource;

/** The migrations of the database. Thread-safe. */
public final class SchemaVersion {

    private final Flyway flyway;

    public SchemaVersion(Flyway flyway) {
        this.flyway = flyway;
    }

    /** Returns the number of the newest migration that was applied. */
    int current() {
        MigrationInfo current = flyway.info().current();
        return number(Objects.requireNonNull(current, "the database has no schema").getVersion());
    }

    /** Returns the number of the newest migration that this orlojd has. */
    int newest() {
        return Arrays.stream(flyway.info().all())
                .filter(migration -> migration.getState().isResolved())
                .mapToInt(migration -> number(migration.getVersion()))
                .max()
                .orElse(0);
    }

    /** Creates a schema with the tables of a version. */
    void create(DataSource direct, String schema, int version) {
        migrate(direct, schema, MigrationVersion.fromVersion(Integer.toString(version)));
    }

    /** Brings the tables of a schema up to date. */
    void migrate(DataSource direct, String schema) {
        migrate(direct, schema, MigrationVersion.LATEST);
    }

    private void migrate(DataSource direct, String schema, MigrationVersion target) {
        Flyway.configure()
                .locations(flyway.getConfiguration().getLocations())
                .dataSource(direct)
                .defaultSchema(schema)
                .schemas(schema)
                .createSchemas(true)
                .target(target)
                .load()
                .migrate();
    }

    private static int number(MigrationVersion version) {
        return Integer.parseInt(version.getVersion());
    }
}
