package dev.orloj.server.audit;

import io.micrometer.core.instrument.FunctionCounter;
import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.binder.MeterBinder;

/** Exports whether the log is written, and what it lacks. */
final class AuditMetrics implements MeterBinder {

    private final AuditQueue queue;

    AuditMetrics(AuditQueue queue) {
        this.queue = queue;
    }

    @Override
    public void bindTo(MeterRegistry registry) {
        FunctionCounter.builder("orloj.audit.events", queue, AuditQueue::writtenEver)
                .description("Events of the audit log that were written")
                .register(registry);
        FunctionCounter.builder("orloj.audit.dropped", queue, AuditQueue::droppedEver)
                .description("Events of the audit log that did not fit into its queue")
                .register(registry);
        FunctionCounter.builder("orloj.audit.refusals", queue, AuditQueue::refusedEver)
                .description("Requests refused because they could not be recorded")
                .register(registry);
        Gauge.builder("orloj.audit.waiting", queue, AuditQueue::waiting)
                .description("Events of the audit log that wait for the database")
                .register(registry);
        Gauge.builder("orloj.audit.writable", queue, each -> each.isWritable() ? 1 : 0)
                .description("1 while the audit log can be written, else 0")
                .register(registry);
    }
}
