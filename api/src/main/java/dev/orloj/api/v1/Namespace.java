package dev.orloj.api.v1;

import com.fasterxml.jackson.annotation.JsonInclude;
import com.fasterxml.jackson.annotation.JsonPropertyOrder;

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

/** A space of names. Every namespaced resource lives in one, which has to exist first. */
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

    /** The namespace that is meant when none is named; always there. */
    public static final String DEFAULT = "default";

    /** Label that carries the name, so that selectors can use it. */
    public static final String NAME_LABEL = "kubernetes.io/metadata.name";

    public static final KindDescriptor<Namespace> DESCRIPTOR =
            KindDescriptor.of(KIND, Schema.fromResource(Namespace.class, "namespace.schema.json"))
                    .shortNames("ns")
                    .nameRule(NameRule.LABEL)
                    .withStatus()
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
     */
    public record Status(String phase) {}

    public static Namespace of(String name) {
        return new Namespace(
                KIND.apiVersion(),
                KIND.name(),
                ObjectMeta.of("", name),
                null,
                new Status("Active"));
    }

    @Override
    public Namespace withMetadata(ObjectMeta replacement) {
        return new Namespace(apiVersion, kind, replacement, spec, status);
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
