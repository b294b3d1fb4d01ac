package dev.orloj.server.telemetry;

import io.opentelemetry.api.common.AttributeKey;
import io.opentelemetry.api.common.Attributes;
import io.opentelemetry.exporter.otlp.http.metrics.OtlpHttpMetricExporter;
import io.opentelemetry.exporter.otlp.http.trace.OtlpHttpSpanExporter;
import io.opentelemetry.sdk.OpenTelemetrySdk;
import io.opentelemetry.sdk.metrics.SdkMeterProvider;
import io.opentelemetry.sdk.metrics.export.PeriodicMetricReader;
import io.opentelemetry.sdk.resources.Resource;
import io.opentelemetry.sdk.trace.SdkTracerProvider;
import io.opentelemetry.sdk.trace.export.BatchSpanProcessor;

import java.net.URI;
import java.time.Duration;
import java.time.InstantSource;
import java.util.concurrent.TimeUnit;

/**
 * Exports spans and metrics to an OTLP collector, in batches and on its own threads. A slow or
 * unreachable collector does not delay calls; what exceeds the queue is dropped. Thread-safe.
 */
public final class OtlpTelemetry implements AutoCloseable {

    private static final String SCOPE = "dev.orloj";
    private static final Duration EXPORT_TIMEOUT = Duration.ofSeconds(5);
    private static final Duration FLUSH_TIMEOUT = Duration.ofSeconds(1);

    private final OpenTelemetrySdk sdk;

    /**
     * @param collector base address of an OTLP/HTTP endpoint, such as {@code http://localhost:4318}
     * @param replica the id of this replica
     */
    public OtlpTelemetry(URI collector, String version, String replica) {
        String base = collector.toString().replaceFirst("/+$", "");
        Resource resource = Resource.getDefault().merge(Resource.create(orlojd(version, replica)));
        this.sdk =
                OpenTelemetrySdk.builder()
                        .setTracerProvider(traces(base, resource))
                        .setMeterProvider(metrics(base, resource))
                        .build();
    }

    private static Attributes orlojd(String version, String replica) {
        return Attributes.of(
                AttributeKey.stringKey("service.name"), "orlojd",
                AttributeKey.stringKey("service.version"), version,
                AttributeKey.stringKey("service.instance.id"), replica);
    }

    private static SdkTracerProvider traces(String base, Resource resource) {
        OtlpHttpSpanExporter exporter =
                OtlpHttpSpanExporter.builder()
                        .setEndpoint(base + "/v1/traces")
                        .setTimeout(EXPORT_TIMEOUT)
                        .build();
        return SdkTracerProvider.builder()
                .setResource(resource)
                .addSpanProcessor(BatchSpanProcessor.builder(exporter).build())
                .build();
    }

    private static SdkMeterProvider metrics(String base, Resource resource) {
        OtlpHttpMetricExporter exporter =
                OtlpHttpMetricExporter.builder()
                        .setEndpoint(base + "/v1/metrics")
                        .setTimeout(EXPORT_TIMEOUT)
                        .build();
        return SdkMeterProvider.builder()
                .setResource(resource)
                .registerMetricReader(PeriodicMetricReader.create(exporter))
                .build();
    }

    /** Creates the telemetry of sessions. */
    public SessionTelemetry sessions(InstantSource clock) {
        return new SessionTelemetry(sdk.getMeter(SCOPE), clock);
    }

    /** Creates the telemetry of calls. */
    public CallTelemetry calls() {
        return new CallTelemetry(sdk.getTracer(SCOPE), sdk.getMeter(SCOPE));
    }

    /** Exports what is pending; waits at most one second. */
    @Override
    public void close() {
        sdk.shutdown().join(FLUSH_TIMEOUT.toMillis(), TimeUnit.MILLISECONDS);
    }
}
