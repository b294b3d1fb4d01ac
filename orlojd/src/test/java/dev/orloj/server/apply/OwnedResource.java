package dev.orloj.server.apply;

import dev.orloj.api.codec.DocumentReader;
import dev.orloj.api.codec.Json;

import tools.jackson.databind.node.ObjectNode;

import java.nio.charset.StandardCharsets;

/** A resource that several managers work on, without a server. Values are written as YAML. */
final class OwnedResource {

    static final String VERSION = "test.dev/v1";

    /** Fields of every way of sharing. */
    static final FieldType TYPE =
            FieldType.of(
                    yaml(
                            """
                            properties:
                              apiVersion: {type: string}
                              kind: {type: string}
                              metadata:
                                properties:
                                  name: {type: string}
                                  resourceVersion: {type: string}
                                  labels: {additionalProperties: {type: string}}
                                  annotations: {additionalProperties: {type: string}}
                                  finalizers: {x-kubernetes-list-type: set, items: {type: string}}
                              spec:
                                properties:
                                  image: {type: string}
                                  count: {type: integer}
                                  args: {type: array, items: {type: string}}
                                  tags: {x-kubernetes-list-type: set, items: {type: string}}
                                  env:
                                    x-kubernetes-list-type: map
                                    x-kubernetes-list-map-keys: [name]
                                    items:
                                      properties:
                                        name: {type: string}
                                        value: {type: string}
                                        note: {type: string}
                                  ports:
                                    x-kubernetes-list-type: map
                                    x-kubernetes-list-map-keys: [port, protocol]
                                    items:
                                      properties:
                                        port: {type: integer}
                                        protocol: {type: string, default: tcp}
                                        name: {type: string}
                                  selector:
                                    x-kubernetes-map-type: atomic
                                    additionalProperties: {type: string}
                                  limits:
                                    properties: {memory: {type: string}, cpus: {type: string}}
                                  free: {x-kubernetes-preserve-unknown-fields: true}
                              status:
                                properties: {phase: {type: string}}
                            """));

    private ObjectNode document;
    private ManagedFields managed;
    private int clock;

    private OwnedResource(ObjectNode document, ManagedFields managed) {
        this.document = document;
        this.managed = managed;
    }

    static OwnedResource absent() {
        return new OwnedResource(Json.MAPPER.createObjectNode(), ManagedFields.NONE);
    }

    /** One that a manager created by an update, with this as its spec. */
    static OwnedResource created(String manager, String spec) {
        OwnedResource resource = new OwnedResource(ofSpec(spec), ManagedFields.NONE);
        resource.managed =
                new UpdateTracker(TYPE, Shapes.ONE)
                        .created(resource.document, updating(manager), resource.now());
        return resource;
    }

    static ObjectNode yaml(String text) {
        return DocumentReader.readYaml(text.getBytes(StandardCharsets.UTF_8)).root();
    }

    static ObjectNode ofSpec(String spec) {
        ObjectNode document = yaml("{apiVersion: test.dev/v1, kind: Thing, metadata: {name: x}}");
        return document.set("spec", yaml(spec));
    }

    static Manager applying(String name) {
        return Manager.applying(name, VERSION, "");
    }

    static Manager updating(String name) {
        return Manager.updating(name, VERSION, "");
    }

    OwnedResource apply(String manager, String spec) {
        return apply(applying(manager), ofSpec(spec), false);
    }

    OwnedResource force(String manager, String spec) {
        return apply(applying(manager), ofSpec(spec), true);
    }

    OwnedResource apply(Manager manager, ObjectNode config, boolean force) {
        Applier.Outcome outcome =
                new Applier(TYPE, Shapes.ONE)
                        .apply(
                                new Applier.Request(
                                        document, config, managed, manager, now(), force));
        document = outcome.document();
        managed = outcome.managed();
        return this;
    }

    /** Replaces the spec. */
    OwnedResource update(String manager, String spec) {
        return update(updating(manager), ofSpec(spec));
    }

    OwnedResource update(Manager manager, ObjectNode after) {
        managed =
                new UpdateTracker(TYPE, Shapes.ONE)
                        .updated(document, after, managed, manager, now());
        document = after;
        return this;
    }

    ObjectNode document() {
        return document;
    }

    ObjectNode spec() {
        return (ObjectNode) document.withObject("/spec");
    }

    ManagedFields managed() {
        return managed;
    }

    /** What a manager owns, as text. */
    String ownedBy(Manager manager) {
        return managed.of(manager, Shapes.ONE).toString();
    }

    private String now() {
        return "2026-11-21T00:%02d:%02dZ".formatted(clock / 60, clock++ % 60);
    }
}
