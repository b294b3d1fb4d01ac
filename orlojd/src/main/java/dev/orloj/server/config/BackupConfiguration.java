package dev.orloj.server.config;

import dev.orloj.server.audit.RestoreEvent;
import dev.orloj.server.backup.DatabaseBackup;
import dev.orloj.server.backup.DatabaseRestore;
import dev.orloj.server.backup.SchemaVersion;
import dev.orloj.server.options.ServerVersion;
import dev.orloj.server.store.key.StoredKeys;

import org.flywaydb.core.Flyway;
import org.springframework.boot.sql.init.dependency.DependsOnDatabaseInitialization;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;

import java.time.InstantSource;

/** Wires backups of the database, and their restore. */
@Configuration(proxyBeanMethods = false)
class BackupConfiguration {

    @Bean
    SchemaVersion schemaVersion(Flyway flyway) {
        return new SchemaVersion(flyway);
    }

    @Bean
    DatabaseBackup databaseBackup(Database database, SchemaVersion schema, InstantSource clock) {
        return new DatabaseBackup(database.direct(), schema, ServerVersion.CURRENT.number(), clock);
    }

    @Bean(initMethod = "dropLeftoverInBackground")
    @DependsOnDatabaseInitialization
    DatabaseRestore databaseRestore(
            Database database, SchemaVersion schema, StoredKeys keys, RestoreEvent event) {
        return new DatabaseRestore(database.direct(), schema, keys, event);
    }
}
