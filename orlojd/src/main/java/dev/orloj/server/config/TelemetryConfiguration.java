package dev.orloj.server.config;

import dev.orloj.controllers.replica.Replica;
import dev.orloj.server.options.ServerVersion;
import dev.orloj.server.properties.TelemetryProperties;
import dev.orloj.server.telemetry.CallTelemetry;
import dev.orloj.server.telemetry.OtlpTelemetry;
import dev.orloj.server.telemetry.SessionTelemetry;

import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Condition;
import org.springframework.context.annotation.ConditionContext;
import org.springframework.context.annotation.Conditional;
import org.springframework.context.annotation.Configuration;
import org.springframework.core.type.AnnotatedTypeMetadata;

import java.net.URI;
import java.time.InstantSource;

/** Wires OpenTelemetry; none of its classes is loaded unless there is a collector. */
@Configuration(proxyBeanMethods = false)
@Conditional(TelemetryConfiguration.CollectorIsGiven.class)
class TelemetryConfiguration {

    @Bean(destroyMethod = "close")
    OtlpTelemetry otlpTelemetry(TelemetryProperties properties, Replica replica) {
        return new OtlpTelemetry(
                URI.create(properties.otlpEndpoint()),
                ServerVersion.CURRENT.number(),
                replica.id());
    }

    @Bean
    SessionTelemetry sessionTelemetry(OtlpTelemetry telemetry, InstantSource clock) {
        return telemetry.sessions(clock);
    }

    @Bean
    CallTelemetry callTelemetry(OtlpTelemetry telemetry) {
        return telemetry.calls();
    }

    /** An empty address counts as none: it is the default of the property. */
    static final class CollectorIsGiven implements Condition {

        @Override
        public boolean matches(ConditionContext context, AnnotatedTypeMetadata metadata) {
            return !context.getEnvironment()
                    .getProperty(TelemetryProperties.OTLP_ENDPOINT, "")
                    .isEmpty();
        }
    }
}
