package dev.orloj.server.protobuf;

import static dev.orloj.server.protobuf.MessageType.EMPTY;
import static dev.orloj.server.protobuf.ProtobufFieldType.Scalar.BYTES;
import static dev.orloj.server.protobuf.ProtobufFieldType.Scalar.INTEGER;
import static dev.orloj.server.protobuf.ProtobufFieldType.Scalar.JSON;
import static dev.orloj.server.protobuf.ProtobufFieldType.Scalar.MICRO_TIME;
import static dev.orloj.server.protobuf.ProtobufFieldType.Scalar.OPTIONAL_BOOLEAN;
import static dev.orloj.server.protobuf.ProtobufFieldType.Scalar.OPTIONAL_INTEGER;
import static dev.orloj.server.protobuf.ProtobufFieldType.Scalar.OPTIONAL_TEXT;
import static dev.orloj.server.protobuf.ProtobufFieldType.Scalar.TEXT;
import static dev.orloj.server.protobuf.ProtobufFieldType.Scalar.TIME;

import dev.orloj.server.protobuf.ProtobufFieldType.ListOf;
import dev.orloj.server.protobuf.ProtobufFieldType.MapOf;
import dev.orloj.server.protobuf.ProtobufFieldType.Message;

import java.util.Map;
import java.util.Optional;

/**
 * Defines the messages of the Kubernetes API that clients send, with the field numbers of the
 * published {@code generated.proto} files.
 */
final class KubernetesMessages {

    private static final ProtobufFieldType TEXTS = new ListOf(TEXT);
    private static final ProtobufFieldType TEXT_MAP = new MapOf(TEXT);

    private static final MessageType OBJECT_META =
            EMPTY.with(1, "name", TEXT)
                    .with(2, "generateName", TEXT)
                    .with(3, "namespace", TEXT)
                    .with(4, "selfLink", TEXT)
                    .with(5, "uid", TEXT)
                    .with(6, "resourceVersion", TEXT)
                    .with(7, "generation", INTEGER)
                    .with(8, "creationTimestamp", TIME)
                    .with(9, "deletionTimestamp", TIME)
                    .with(10, "deletionGracePeriodSeconds", OPTIONAL_INTEGER)
                    .with(11, "labels", TEXT_MAP)
                    .with(12, "annotations", TEXT_MAP)
                    .with(13, "ownerReferences", new ListOf(new Message(ownerReference())))
                    .with(14, "finalizers", TEXTS)
                    .with(17, "managedFields", new ListOf(new Message(managedFieldsEntry())));

    private static final MessageType OBJECT_REFERENCE =
            EMPTY.with(1, "kind", TEXT)
                    .with(2, "namespace", TEXT)
                    .with(3, "name", TEXT)
                    .with(4, "uid", TEXT)
                    .with(5, "apiVersion", TEXT)
                    .with(6, "resourceVersion", TEXT)
                    .with(7, "fieldPath", TEXT);

    private static final MessageType EVENT_SOURCE =
            EMPTY.with(1, "component", TEXT).with(2, "host", TEXT);

    private static final MessageType EVENT_SERIES =
            EMPTY.with(1, "count", INTEGER).with(2, "lastObservedTime", MICRO_TIME);

    private static final MessageType RESOURCE_ATTRIBUTES =
            EMPTY.with(1, "namespace", TEXT)
                    .with(2, "verb", TEXT)
                    .with(3, "group", TEXT)
                    .with(4, "version", TEXT)
                    .with(5, "resource", TEXT)
                    .with(6, "subresource", TEXT)
                    .with(7, "name", TEXT)
                    .with(8, "fieldSelector", selector())
                    .with(9, "labelSelector", selector());

    private static final MessageType NON_RESOURCE_ATTRIBUTES =
            EMPTY.with(1, "path", TEXT).with(2, "verb", TEXT);

    private static final MessageType SELF_ACCESS_SPEC =
            EMPTY.with(1, "resourceAttributes", RESOURCE_ATTRIBUTES)
                    .with(2, "nonResourceAttributes", NON_RESOURCE_ATTRIBUTES);

    private static final MessageType DELETE_OPTIONS =
            EMPTY.with(1, "gracePeriodSeconds", OPTIONAL_INTEGER)
                    .with(
                            2,
                            "preconditions",
                            EMPTY.with(1, "uid", TEXT).with(2, "resourceVersion", TEXT))
                    .with(3, "orphanDependents", OPTIONAL_BOOLEAN)
                    .with(4, "propagationPolicy", TEXT)
                    .with(5, "dryRun", TEXTS);

    private static final Map<String, MessageType> BY_KIND =
            Map.ofEntries(
                    Map.entry("v1/Secret", secret()),
                    Map.entry("v1/ConfigMap", configMap()),
                    Map.entry("v1/Namespace", namespace()),
                    Map.entry("v1/ServiceAccount", serviceAccount()),
                    Map.entry("v1/Event", coreEvent()),
                    Map.entry("events.k8s.io/v1/Event", event()),
                    Map.entry("coordination.k8s.io/v1/Lease", lease()),
                    Map.entry("rbac.authorization.k8s.io/v1/Role", role()),
                    Map.entry("rbac.authorization.k8s.io/v1/ClusterRole", clusterRole()),
                    Map.entry("rbac.authorization.k8s.io/v1/RoleBinding", binding()),
                    Map.entry("rbac.authorization.k8s.io/v1/ClusterRoleBinding", binding()),
                    Map.entry(
                            "authorization.k8s.io/v1/SelfSubjectAccessReview",
                            withSpec(SELF_ACCESS_SPEC)),
                    Map.entry(
                            "authorization.k8s.io/v1/SubjectAccessReview", withSpec(accessSpec())),
                    Map.entry(
                            "authorization.k8s.io/v1/LocalSubjectAccessReview",
                            withSpec(accessSpec())),
                    Map.entry(
                            "authorization.k8s.io/v1/SelfSubjectRulesReview",
                            withSpec(EMPTY.with(1, "namespace", TEXT))),
                    Map.entry(
                            "authentication.k8s.io/v1/SelfSubjectReview",
                            EMPTY.with(1, "metadata", OBJECT_META)),
                    Map.entry("authentication.k8s.io/v1/TokenRequest", tokenRequest()),
                    Map.entry(
                            "authentication.k8s.io/v1/TokenReview",
                            withSpec(EMPTY.with(1, "token", TEXT).with(2, "audiences", TEXTS))));

    private KubernetesMessages() {}

    /** Finds the type of a kind. Clients use DeleteOptions in every group. */
    static Optional<MessageType> find(String apiVersion, String kind) {
        return kind.equals("DeleteOptions")
                ? Optional.of(DELETE_OPTIONS)
                : Optional.ofNullable(BY_KIND.get(apiVersion + "/" + kind));
    }

    private static MessageType withSpec(MessageType spec) {
        return EMPTY.with(1, "metadata", OBJECT_META).with(2, "spec", spec);
    }

    private static MessageType ownerReference() {
        return EMPTY.with(1, "kind", TEXT)
                .with(3, "name", TEXT)
                .with(4, "uid", TEXT)
                .with(5, "apiVersion", TEXT)
                .with(6, "controller", OPTIONAL_BOOLEAN)
                .with(7, "blockOwnerDeletion", OPTIONAL_BOOLEAN);
    }

    private static MessageType managedFieldsEntry() {
        return EMPTY.with(1, "manager", TEXT)
                .with(2, "operation", TEXT)
                .with(3, "apiVersion", TEXT)
                .with(4, "time", TIME)
                .with(6, "fieldsType", TEXT)
                .with(7, "fieldsV1", JSON)
                .with(8, "subresource", TEXT);
    }

    private static MessageType selector() {
        MessageType requirement =
                EMPTY.with(1, "key", TEXT).with(2, "operator", TEXT).with(3, "values", TEXTS);
        return EMPTY.with(1, "rawSelector", TEXT)
                .with(2, "requirements", new ListOf(new Message(requirement)));
    }

    private static MessageType accessSpec() {
        return SELF_ACCESS_SPEC.with(3, "user", TEXT).with(4, "groups", TEXTS).with(6, "uid", TEXT);
    }

    private static MessageType secret() {
        return EMPTY.with(1, "metadata", OBJECT_META)
                .with(2, "data", new MapOf(BYTES))
                .with(3, "type", TEXT)
                .with(4, "stringData", TEXT_MAP)
                .with(5, "immutable", OPTIONAL_BOOLEAN);
    }

    private static MessageType configMap() {
        return EMPTY.with(1, "metadata", OBJECT_META)
                .with(2, "data", TEXT_MAP)
                .with(3, "binaryData", new MapOf(BYTES))
                .with(4, "immutable", OPTIONAL_BOOLEAN);
    }

    private static MessageType namespace() {
        MessageType condition =
                EMPTY.with(1, "type", TEXT)
                        .with(2, "status", TEXT)
                        .with(4, "lastTransitionTime", TIME)
                        .with(5, "reason", TEXT)
                        .with(6, "message", TEXT);
        MessageType status =
                EMPTY.with(1, "phase", TEXT)
                        .with(2, "conditions", new ListOf(new Message(condition)));
        return withSpec(EMPTY.with(1, "finalizers", TEXTS)).with(3, "status", status);
    }

    private static MessageType serviceAccount() {
        MessageType reference = EMPTY.with(1, "name", TEXT);
        return EMPTY.with(1, "metadata", OBJECT_META)
                .with(2, "secrets", new ListOf(new Message(OBJECT_REFERENCE)))
                .with(3, "imagePullSecrets", new ListOf(new Message(reference)))
                .with(4, "automountServiceAccountToken", OPTIONAL_BOOLEAN);
    }

    private static MessageType tokenRequest() {
        MessageType bound =
                EMPTY.with(1, "kind", TEXT)
                        .with(2, "apiVersion", TEXT)
                        .with(3, "name", TEXT)
                        .with(4, "uid", TEXT);
        return withSpec(
                EMPTY.with(1, "audiences", TEXTS)
                        .with(3, "boundObjectRef", bound)
                        .with(4, "expirationSeconds", OPTIONAL_INTEGER));
    }

    private static MessageType coreEvent() {
        return EMPTY.with(1, "metadata", OBJECT_META)
                .with(2, "involvedObject", OBJECT_REFERENCE)
                .with(3, "reason", TEXT)
                .with(4, "message", TEXT)
                .with(5, "source", EVENT_SOURCE)
                .with(6, "firstTimestamp", TIME)
                .with(7, "lastTimestamp", TIME)
                .with(8, "count", INTEGER)
                .with(9, "type", TEXT)
                .with(10, "eventTime", MICRO_TIME)
                .with(11, "series", EVENT_SERIES)
                .with(12, "action", TEXT)
                .with(13, "related", OBJECT_REFERENCE)
                .with(14, "reportingComponent", TEXT)
                .with(15, "reportingInstance", TEXT);
    }

    private static MessageType event() {
        return EMPTY.with(1, "metadata", OBJECT_META)
                .with(2, "eventTime", MICRO_TIME)
                .with(3, "series", EVENT_SERIES)
                .with(4, "reportingController", TEXT)
                .with(5, "reportingInstance", TEXT)
                .with(6, "action", TEXT)
                .with(7, "reason", TEXT)
                .with(8, "regarding", OBJECT_REFERENCE)
                .with(9, "related", OBJECT_REFERENCE)
                .with(10, "note", TEXT)
                .with(11, "type", TEXT)
                .with(12, "deprecatedSource", EVENT_SOURCE)
                .with(13, "deprecatedFirstTimestamp", TIME)
                .with(14, "deprecatedLastTimestamp", TIME)
                .with(15, "deprecatedCount", INTEGER);
    }

    private static MessageType lease() {
        return withSpec(
                EMPTY.with(1, "holderIdentity", OPTIONAL_TEXT)
                        .with(2, "leaseDurationSeconds", OPTIONAL_INTEGER)
                        .with(3, "acquireTime", MICRO_TIME)
                        .with(4, "renewTime", MICRO_TIME)
                        .with(5, "leaseTransitions", OPTIONAL_INTEGER)
                        .with(6, "strategy", OPTIONAL_TEXT)
                        .with(7, "preferredHolder", OPTIONAL_TEXT));
    }

    private static MessageType role() {
        MessageType rule =
                EMPTY.with(1, "verbs", TEXTS)
                        .with(2, "apiGroups", TEXTS)
                        .with(3, "resources", TEXTS)
                        .with(4, "resourceNames", TEXTS)
                        .with(5, "nonResourceURLs", TEXTS);
        return EMPTY.with(1, "metadata", OBJECT_META)
                .with(2, "rules", new ListOf(new Message(rule)));
    }

    private static MessageType clusterRole() {
        MessageType expression =
                EMPTY.with(1, "key", TEXT).with(2, "operator", TEXT).with(3, "values", TEXTS);
        MessageType selector =
                EMPTY.with(1, "matchLabels", TEXT_MAP)
                        .with(2, "matchExpressions", new ListOf(new Message(expression)));
        return role().with(
                        3,
                        "aggregationRule",
                        EMPTY.with(1, "clusterRoleSelectors", new ListOf(new Message(selector))));
    }

    private static MessageType binding() {
        MessageType subject =
                EMPTY.with(1, "kind", TEXT)
                        .with(2, "apiGroup", TEXT)
                        .with(3, "name", TEXT)
                        .with(4, "namespace", TEXT);
        return EMPTY.with(1, "metadata", OBJECT_META)
                .with(2, "subjects", new ListOf(new Message(subject)))
                .with(
                        3,
                        "roleRef",
                        EMPTY.with(1, "apiGroup", TEXT)
                                .with(2, "kind", TEXT)
                                .with(3, "name", TEXT));
    }
}
