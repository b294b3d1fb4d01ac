package dev.orloj.server.builtin;

import dev.orloj.api.Kind;
import dev.orloj.api.ObjectMeta;
import dev.orloj.api.Resource;
import dev.orloj.api.codec.Column;
import dev.orloj.api.codec.KindDescriptor;
import dev.orloj.api.codec.Schema;

import tools.jackson.databind.JsonNode;

/** The Kubernetes description of a custom kind. */
record CustomResourceDefinition(
        String apiVersion, String kind, ObjectMeta metadata, JsonNode spec, JsonNode status)
        implements Resource {

    static final Kind<CustomResourceDefinition> KIND =
            new Kind<>(
                    "apiextensions.k8s.io",
                    "v1",
                    "CustomResourceDefinition",
                    "customresourcedefinitions",
                    false,
                    CustomResourceDefinition.class);

    static final KindDescriptor<CustomResourceDefinition> DESCRIPTOR =
            KindDescriptor.of(
                            KIND,
                            Schema.fromResource(
                                    CustomResourceDefinition.class,
                                    "customresourcedefinition.schema.json"))
                    .shortNames("crd", "crds")
                    .categories("api-extensions")
                    .columns(
                            Column.text("Group", "Of the kind", Column.at("/spec/group")),
                            Column.text("Scope", "Of the kind", Column.at("/spec/scope")))
                    .readOnly()
                    .build();

    @Override
    public CustomResourceDefinition withMetadata(ObjectMeta replacement) {
        return new CustomResourceDefinition(apiVersion, kind, replacement, spec, status);
    }
}
