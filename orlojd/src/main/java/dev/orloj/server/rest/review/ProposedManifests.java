package dev.orloj.server.rest.review;

import dev.orloj.api.ApiException;
import dev.orloj.api.ErrorReason;
import dev.orloj.api.Kind;
import dev.orloj.api.Resource;
import dev.orloj.api.Status;
import dev.orloj.api.codec.Document;
import dev.orloj.api.codec.KindDescriptor;
import dev.orloj.api.codec.ResourceCodec;
import dev.orloj.api.codec.Scheme;
import dev.orloj.api.core.ConfigMap;
import dev.orloj.api.core.Secret;
import dev.orloj.api.report.Check;
import dev.orloj.api.report.Finding;
import dev.orloj.api.v1.McpServer;
import dev.orloj.api.v1.Sandbox;
import dev.orloj.controllers.review.Companions;
import dev.orloj.server.admission.Admission;
import dev.orloj.server.admission.FieldValidation;
import dev.orloj.server.admission.Received;
import dev.orloj.server.authorization.UserInfo;

import org.springframework.stereotype.Component;

import tools.jackson.databind.node.ObjectNode;

import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/** Admits manifests as a write does, without storing them. */
@Component
class ProposedManifests {

    private final Admission admission;
    private final Scheme scheme;

    ProposedManifests(Admission admission, Scheme scheme) {
        this.admission = admission;
        this.scheme = scheme;
    }

    /**
     * A manifest after admission.
     *
     * @param server empty when it was refused
     * @param findings why it was refused, and what was left out of it
     */
    record Proposal(Optional<McpServer> server, List<Finding> findings) {
        static final Proposal NONE = new Proposal(Optional.empty(), List.of());
    }

    /**
     * @param starter the user who starts the program; empty when it is not started or everyone may
     * @throws ApiException (BadRequest) when the manifest is of another kind or namespace,
     *     (Forbidden) when the user may not start it
     */
    Proposal server(ObjectNode manifest, String namespace, Optional<UserInfo> starter) {
        Received received = receive(McpServer.DESCRIPTOR, manifest, namespace);
        List<Finding> findings = new ArrayList<>();
        received.warnings()
                .forEach(warning -> findings.add(Finding.of(Check.UNKNOWN_FIELD, warning)));
        try {
            ObjectNode document = received.document();
            admission.admit(McpServer.DESCRIPTOR, document, Optional.empty(), starter);
            return new Proposal(
                    Optional.of(ResourceCodec.fromDocument(McpServer.KIND, document)), findings);
        } catch (ApiException e) {
            if (e.reason() != ErrorReason.INVALID) {
                throw e;
            }
            findings.addAll(findings(e));
            return new Proposal(Optional.empty(), findings);
        }
    }

    private static List<Finding> findings(ApiException refusal) {
        List<Status.Cause> causes = refusal.details().map(Status.Details::causes).orElse(List.of());
        return causes.isEmpty()
                ? List.of(Finding.of(Check.MANIFEST_INVALID, String.valueOf(refusal.getMessage())))
                : causes.stream()
                        .map(
                                cause ->
                                        Finding.at(
                                                Check.MANIFEST_INVALID,
                                                cause.field(),
                                                cause.message()))
                        .toList();
    }

    /**
     * @throws ApiException (BadRequest, Invalid) when one is no Secret, ConfigMap or Sandbox of the
     *     namespace
     */
    Companions companions(List<ObjectNode> manifests, String namespace) {
        List<Secret> secrets = new ArrayList<>();
        List<ConfigMap> configMaps = new ArrayList<>();
        Set<String> sandboxes = new HashSet<>();
        for (ObjectNode manifest : manifests) {
            String version = manifest.path("apiVersion").asString("");
            String kind = manifest.path("kind").asString("");
            KindDescriptor<?> descriptor =
                    scheme.findKind(version, kind).orElseThrow(() -> unknown(version, kind));
            Kind<?> stored = descriptor.stored().kind();
            if (stored.equals(Secret.KIND)) {
                secrets.add(admitted(descriptor, Secret.DESCRIPTOR, manifest, namespace));
            } else if (stored.equals(ConfigMap.KIND)) {
                configMaps.add(admitted(descriptor, ConfigMap.DESCRIPTOR, manifest, namespace));
            } else if (stored.equals(Sandbox.KIND)) {
                sandboxes.add(manifest.at("/metadata/name").asString(""));
            } else {
                throw unknown(version, kind);
            }
        }
        return Companions.of(secrets, configMaps, sandboxes);
    }

    private static ApiException unknown(String version, String kind) {
        return ApiException.badRequest(
                "spec.companions: must be Secrets, ConfigMaps and Sandboxes, found kind \"%s\" of \"%s\""
                        .formatted(kind, version));
    }

    private <R extends Resource> R admitted(
            KindDescriptor<?> sent,
            KindDescriptor<R> stored,
            ObjectNode manifest,
            String namespace) {
        ObjectNode row = sent.toStored(receive(sent, manifest, namespace).document());
        admission.admit(stored, row, Optional.empty(), Optional.empty());
        return ResourceCodec.fromDocument(stored.kind(), row);
    }

    private Received receive(KindDescriptor<?> kind, ObjectNode manifest, String namespace) {
        Received received =
                admission.receive(
                        kind, new Document(manifest, List.of(), Map.of()), FieldValidation.WARN);
        ObjectNode metadata = received.document().withObject("/metadata");
        String given = metadata.path("namespace").asString("");
        if (!given.isEmpty() && !given.equals(namespace)) {
            throw ApiException.badRequest(
                    "metadata.namespace: is \"%s\", and the path has \"%s\""
                            .formatted(given, namespace));
        }
        metadata.put("namespace", namespace);
        received.document().remove("status");
        return received;
    }
}
