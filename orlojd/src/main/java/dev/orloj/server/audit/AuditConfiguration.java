package dev.orloj.server.audit;

import dev.orloj.controllers.replica.Replica;
import dev.orloj.server.properties.AuditProperties;
import dev.orloj.server.properties.AuditProperties.Level;
import dev.orloj.server.store.audit.AuditTable;
import dev.orloj.server.store.table.SecretCipher;

import org.springframework.boot.sql.init.dependency.DependsOnDatabaseInitialization;
import org.springframework.boot.web.servlet.FilterRegistrationBean;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.core.Ordered;

import java.time.InstantSource;

import javax.sql.DataSource;

/** Wires the audit log, for both ports. */
@Configuration(proxyBeanMethods = false)
class AuditConfiguration {

    private static final String PURPOSE = "orloj audit checkpoints";

    @Bean
    AuditTable auditTable(DataSource pool) {
        return new AuditTable(pool);
    }

    @Bean
    AuditQueue auditQueue(AuditProperties properties) {
        return new AuditQueue(properties.maxWaiting(), System::nanoTime);
    }

    @Bean
    CheckpointKey checkpointKey(SecretCipher cipher) {
        return new CheckpointKey(cipher.derive(PURPOSE, "Generic"), cipher::requireDerivation);
    }

    @Bean(initMethod = "start", destroyMethod = "close")
    @DependsOnDatabaseInitialization
    AuditWriter auditWriter(
            AuditQueue queue,
            AuditTable table,
            CheckpointKey key,
            Replica self,
            AuditProperties properties,
            InstantSource clock) {
        return new AuditWriter(
                queue,
                table,
                new AuditEvents(self.id()),
                new AuditWriter.Retention(properties.maxAge(), properties.maxEvents(), key),
                clock);
    }

    @Bean
    RestoreEvent restoreEvent(Replica self, InstantSource clock) {
        return new RestoreEvent(self.id(), clock);
    }

    @Bean
    AuditMetrics auditMetrics(AuditQueue queue) {
        return new AuditMetrics(queue);
    }

    @Bean
    CallAudit callAudit(AuditQueue queue, AuditProperties properties, InstantSource clock) {
        return properties.level() == Level.NONE
                ? CallAudit.NONE
                : new AuditLog(queue, properties.failurePolicy(), clock);
    }

    /** After what refuses web pages, and before what finds out who it is. */
    @Bean
    FilterRegistrationBean<AuditFilter> auditFilter(
            AuditQueue queue, AuditProperties properties, InstantSource clock) {
        FilterRegistrationBean<AuditFilter> registration =
                new FilterRegistrationBean<>(
                        new AuditFilter(new AuditLog(queue, properties.failurePolicy(), clock)));
        registration.setEnabled(properties.level() != Level.NONE);
        registration.setOrder(Ordered.HIGHEST_PRECEDENCE + 2);
        return registration;
    }
}
