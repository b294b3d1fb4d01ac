package dev.orloj.api.core;

import com.fasterxml.jackson.annotation.JsonInclude;
import com.fasterxml.jackson.annotation.JsonPropertyOrder;

import dev.orloj.api.Condition;
import dev.orloj.api.Kind;
import dev.orloj.api.ObjectMeta;
import dev.orloj.api.Resource;
import dev.orloj.api.codec.Column;
import dev.orloj.api.codec.KindDescriptor;
import dev.orloj.api.codec.NameRule;
import dev.orloj.api.codec.Schema;

import org.jspecify.annotations.Nullable;

import tools.jackson.databind.node.ObjectNode;

import java.util.List;
import java.util.Set;

/** A scope for names. Every namespaced resource is in one, which must exist first. */
@JsonInclude(JsonInclude.Include.NON_EMPTY)
@JsonPropertyOrder({"apiVersion", "kind", "metadata", "spec", "status"})
public record Namespace(
        String apiVersion,
        String kind,
        ObjectMeta metadata,
        @Nullable Spec spec,
        @Nullable Status status)
        implements Resource {

    public static final Kind<Namespace> KIND =
            new Kind<>("", "v1", "Namespace", "namespaces", false, Namespace.class);

    /** The default namespace. It always exists. */
    public static final String DEFAULT = "default";

    /** The namespace for the internal resources of Orloj. */
    public static final String SYSTEM = "orloj-system";

    /** Namespaces that cannot be deleted. */
    public static final Set<String> PERMANENT = Set.of(DEFAULT, SYSTEM, "kube-system");

    /** The finalizer in the spec that keeps a namespace until it is empty. */
    public static final String CONTENT_FINALIZER = "kubernetes";

    public static final String ACTIVE = "Active";
    public static final String TERMINATING = "Terminating";

    /** The label that contains the name, so that selectors can use it. */
    public static final String NAME_LABEL = "kubernetes.io/metadata.name";

    public static final KindDescriptor<Namespace> DESCRIPTOR =
            KindDescriptor.of(KIND, Schema.fromResource(Namespace.class, "namespace.schema.json"))
                    .shortNames("ns")
                    .nameRule(NameRule.LABEL)
                    .withStatus()
                    .overwritable()
                    .strategicMerge()
                    .heldByContent()
                    .normalizer(Namespace::label)
                    .selectable("status.phase", "/status/phase")
                    .columns(
                            Column.text(
                                    "Status", "Active or Terminating", Column.at("/status/phase")))
                    .build();

    @JsonInclude(JsonInclude.Include.NON_EMPTY)
    public record Spec(List<String> finalizers) {

        public Spec {
            finalizers = finalizers == null ? List.of() : List.copyOf(finalizers);
        }
    }

    /**
     * @param phase Active or Terminating
     * @param conditions of a namespace that is being deleted: what remains, and why
     */
    @JsonInclude(JsonInclude.Include.NON_EMPTY)
    public record Status(String phase, List<Condition> conditions) {

        public Status {
            conditions = conditions == null ? List.of() : List.copyOf(conditions);
        }

        Status(String phase) {
            this(phase, List.of());
        }
    }

    public static Namespace of(String name) {
        return new Namespace(
                KIND.apiVersion(), KIND.name(), ObjectMeta.of("", name), null, new Status(ACTIVE));
    }

    @Override
    public Namespace withMetadata(ObjectMeta replacement) {
        return new Namespace(apiVersion, kind, replacement, spec, status);
    }

    public Namespace withStatus(Status replacement) {
        return new Namespace(apiVersion, kind, metadata, spec, replacement);
    }

    /** Returns the namespace without a finalizer in its spec. */
    public Namespace withoutFinalizer(String finalizer) {
        List<String> left =
                spec == null
                        ? List.of()
                        : spec.finalizers().stream().filter(f -> !f.equals(finalizer)).toList();
        return new Namespace(apiVersion, kind, metadata, new Spec(left), status);
    }

    private static void label(ObjectNode document) {
        String name = document.at("/metadata/name").asString("");
        if (!name.isEmpty()
                && (!document.at("/metadata").has("labels")
                        || document.at("/metadata/labels").isObject())) {
            document.withObject("/metadata/labels").put(NAME_LABEL, name);
        }
    }
}
