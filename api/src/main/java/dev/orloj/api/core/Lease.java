package dev.orloj.api.core;

import com.fasterxml.jackson.annotation.JsonInclude;
import com.fasterxml.jackson.annotation.JsonPropertyOrder;

import dev.orloj.api.FieldError;
import dev.orloj.api.FieldPath;
import dev.orloj.api.Kind;
import dev.orloj.api.MicroTime;
import dev.orloj.api.ObjectMeta;
import dev.orloj.api.Resource;
import dev.orloj.api.codec.Column;
import dev.orloj.api.codec.KindDescriptor;
import dev.orloj.api.codec.Schema;

import org.jspecify.annotations.Nullable;

import tools.jackson.databind.node.ObjectNode;

import java.util.ArrayList;
import java.util.List;

/**
 * Records which client holds something and until when, for leader elections among clients and for
 * heartbeats.
 */
@JsonInclude(JsonInclude.Include.NON_EMPTY)
@JsonPropertyOrder({"apiVersion", "kind", "metadata", "spec"})
public record Lease(String apiVersion, String kind, ObjectMeta metadata, @Nullable Spec spec)
        implements Resource {

    public static final Kind<Lease> KIND =
            new Kind<>("coordination.k8s.io", "v1", "Lease", "leases", true, Lease.class);

    public static final KindDescriptor<Lease> DESCRIPTOR =
            KindDescriptor.of(KIND, Schema.fromResource(Lease.class, "lease.schema.json"))
                    .shard(KindDescriptor.Shard.LEASES)
                    .normalizer(Lease::normalize)
                    .validator(Lease::validate)
                    .creatableByUpdate()
                    .strategicMerge()
                    .columns(
                            Column.text(
                                    "Holder", "Who holds it", Column.at("/spec/holderIdentity")))
                    .build();

    /**
     * The state of the lease.
     *
     * @param holderIdentity empty when there is no holder
     * @param leaseDurationSeconds how long after its latest renewal other clients treat it as held
     * @param acquireTime when the holder acquired it
     * @param renewTime when the holder last renewed it
     * @param leaseTransitions how often the holder changed
     */
    @JsonInclude(JsonInclude.Include.NON_EMPTY)
    public record Spec(
            String holderIdentity,
            @Nullable Integer leaseDurationSeconds,
            @Nullable MicroTime acquireTime,
            @Nullable MicroTime renewTime,
            @Nullable Integer leaseTransitions,
            String strategy,
            String preferredHolder) {

        public Spec {
            holderIdentity = holderIdentity == null ? "" : holderIdentity;
            strategy = strategy == null ? "" : strategy;
            preferredHolder = preferredHolder == null ? "" : preferredHolder;
        }

        /** Creates the state of a lease that its holder acquires for some seconds. */
        public Spec(String holder, int seconds, MicroTime acquired, MicroTime renewed) {
            this(holder, seconds, acquired, renewed, null, "", "");
        }
    }

    private static void normalize(ObjectNode document) {
        if (document.path("spec") instanceof ObjectNode spec) {
            MicroTime.normalize(spec, "acquireTime");
            MicroTime.normalize(spec, "renewTime");
        }
    }

    private static List<FieldError> validate(Lease lease) {
        List<FieldError> errors = new ArrayList<>();
        Spec spec = lease.spec();
        if (spec == null) {
            return errors;
        }
        FieldPath path = FieldPath.of("spec");
        Integer seconds = spec.leaseDurationSeconds();
        if (seconds != null && seconds <= 0) {
            errors.add(
                    FieldError.invalid(
                            path.child("leaseDurationSeconds"), seconds, "must be greater than 0"));
        }
        Integer transitions = spec.leaseTransitions();
        if (transitions != null && transitions < 0) {
            errors.add(
                    FieldError.invalid(
                            path.child("leaseTransitions"),
                            transitions,
                            "must be greater than or equal to 0"));
        }
        return errors;
    }

    @Override
    public Lease withMetadata(ObjectMeta replacement) {
        return new Lease(apiVersion, kind, replacement, spec);
    }
}
