package dev.orloj.server.metrics;

import dev.orloj.server.oidc.Issuers;

import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.MultiGauge;
import io.micrometer.core.instrument.MultiGauge.Row;
import io.micrometer.core.instrument.Tags;
import io.micrometer.core.instrument.binder.MeterBinder;

/** Exports whether the issuers of tokens can be reached. */
public final class IssuerMetrics implements MeterBinder {

    private final Issuers issuers;

    public IssuerMetrics(Issuers issuers) {
        this.issuers = issuers;
    }

    @Override
    public void bindTo(MeterRegistry registry) {
        MultiGauge reachable =
                MultiGauge.builder("orloj.issuer.reachable")
                        .description("1 for an issuer of tokens that can be reached, else 0")
                        .register(registry);
        issuers.onChange(() -> update(reachable));
        update(reachable);
    }

    private void update(MultiGauge reachable) {
        reachable.register(
                issuers.urls().stream()
                        .map(
                                url ->
                                        Row.of(
                                                Tags.of("issuer", url),
                                                () -> issuers.isReachable(url) ? 1 : 0))
                        .toList(),
                true);
    }
}
