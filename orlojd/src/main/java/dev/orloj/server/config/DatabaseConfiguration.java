package dev.orloj.server.config;

import com.zaxxer.hikari.HikariDataSource;

import dev.orloj.server.properties.DatabaseProperties;
import dev.orloj.server.startup.NewerDatabase;

import org.springframework.boot.flyway.autoconfigure.FlywayMigrationStrategy;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.core.env.Environment;

/** Wires the configured database, or the embedded one. */
@Configuration(proxyBeanMethods = false)
class DatabaseConfiguration {

    @Bean
    DataDirectory dataDirectory(Environment environment) {
        return DataDirectory.of(environment);
    }

    /** Closed after everything that uses it: the pool first, then the embedded server. */
    @Bean(destroyMethod = "close")
    Database database(DatabaseProperties properties, DatabaseStartup startup) {
        return properties.isEmbedded()
                ? Database.embedded(startup.embedded(), properties)
                : Database.of(properties, startup::close);
    }

    @Bean(destroyMethod = "close")
    HikariDataSource dataSource(Database database, DatabaseProperties properties) {
        HikariDataSource pool = new HikariDataSource();
        pool.setPoolName("orloj");
        pool.setJdbcUrl(database.url());
        pool.setDataSourceProperties(database.connectionProperties());
        pool.addDataSourceProperty("reWriteBatchedInserts", "true");
        pool.setMaximumPoolSize(properties.connections());
        pool.setMinimumIdle(Math.min(2, properties.connections()));
        pool.setConnectionTimeout(10_000);
        // The pool may try several dead connections before it finds a live one.
        pool.setValidationTimeout(2_000);
        return pool;
    }

    @Bean
    FlywayMigrationStrategy migrations() {
        return flyway -> {
            NewerDatabase.require(flyway.info().all());
            flyway.migrate();
        };
    }
}
