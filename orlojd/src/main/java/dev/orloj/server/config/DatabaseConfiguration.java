package dev.orloj.server.config;

import com.zaxxer.hikari.HikariDataSource;

import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.core.env.Environment;

/** The database that was configured, or the embedded one. */
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
                : Database.of(properties);
    }

    @Bean(destroyMethod = "close")
    HikariDataSource dataSource(Database database, DatabaseProperties properties) {
        HikariDataSource pool = new HikariDataSource();
        pool.setPoolName("orloj");
        pool.setJdbcUrl(database.url());
        if (database.user() != null) {
            pool.setUsername(database.user());
        }
        if (database.password() != null) {
            pool.setPassword(database.password());
        }
        pool.setMaximumPoolSize(properties.connections());
        pool.setMinimumIdle(Math.min(2, properties.connections()));
        pool.setConnectionTimeout(10_000);
        pool.addDataSourceProperty("ApplicationName", "orlojd");
        pool.addDataSourceProperty("reWriteBatchedInserts", "true");
        pool.addDataSourceProperty("tcpKeepAlive", "true");
        pool.addDataSourceProperty(
                "socketTimeout", String.valueOf(database.socketTimeout().toSeconds()));
        return pool;
    }
}
