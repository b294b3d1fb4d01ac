package dev.orloj.server.rest;

import dev.orloj.api.Kind;
import dev.orloj.api.codec.Json;
import dev.orloj.api.codec.KindDescriptor;
import dev.orloj.api.codec.Scheme;

import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.ObjectNode;

import java.util.List;

/** What the server tells about its groups, versions and resources. */
final class DiscoveryDocuments {

    private static final List<String> VERBS =
            List.of(
                    "create",
                    "delete",
                    "deletecollection",
                    "get",
                    "list",
                    "patch",
                    "update",
                    "watch");
    private static final List<String> STATUS_VERBS = List.of("get", "patch", "update");

    private final Scheme scheme;

    DiscoveryDocuments(Scheme scheme) {
        this.scheme = scheme;
    }

    /** The names of all groups but the core one. */
    List<String> groups() {
        return scheme.descriptors().stream()
                .map(d -> d.kind().group())
                .filter(group -> !group.isEmpty())
                .distinct()
                .toList();
    }

    private List<String> versions(String group) {
        return kinds(group).stream().map(d -> d.kind().version()).distinct().toList();
    }

    private List<KindDescriptor<?>> kinds(String group) {
        return scheme.descriptors().stream().filter(d -> d.kind().group().equals(group)).toList();
    }

    private List<KindDescriptor<?>> kinds(String group, String version) {
        return kinds(group).stream().filter(d -> d.kind().version().equals(version)).toList();
    }

    /** Groups with all that is in them, in one document (apidiscovery.k8s.io/v2). */
    ObjectNode aggregated(List<String> groups) {
        ObjectNode list = Json.MAPPER.createObjectNode();
        list.put("kind", "APIGroupDiscoveryList").put("apiVersion", "apidiscovery.k8s.io/v2");
        list.putObject("metadata");
        ArrayNode items = list.putArray("items");
        for (String group : groups) {
            ObjectNode item = items.addObject();
            ObjectNode metadata = item.putObject("metadata");
            if (!group.isEmpty()) {
                metadata.put("name", group);
            }
            metadata.putNull("creationTimestamp");
            ArrayNode versions = item.putArray("versions");
            for (String version : versions(group)) {
                ObjectNode entry = versions.addObject();
                entry.put("version", version).put("freshness", "Current");
                ArrayNode resources = entry.putArray("resources");
                kinds(group, version).forEach(kind -> addAggregated(resources, kind));
            }
        }
        return list;
    }

    private static void addAggregated(ArrayNode resources, KindDescriptor<?> descriptor) {
        Kind<?> kind = descriptor.kind();
        ObjectNode resource = resources.addObject();
        resource.put("resource", kind.plural());
        addResponseKind(resource, kind);
        resource.put("scope", kind.namespaced() ? "Namespaced" : "Cluster");
        resource.put("singularResource", kind.singular());
        addTexts(resource, "shortNames", descriptor.shortNames());
        addTexts(resource, "categories", descriptor.categories());
        addTexts(resource, "verbs", VERBS);
        if (descriptor.hasStatus()) {
            ObjectNode status = resource.putArray("subresources").addObject();
            status.put("subresource", "status");
            addResponseKind(status, kind);
            addTexts(status, "verbs", STATUS_VERBS);
        }
    }

    private static void addResponseKind(ObjectNode resource, Kind<?> kind) {
        resource.putObject("responseKind")
                .put("group", kind.group())
                .put("version", kind.version())
                .put("kind", kind.name());
    }

    /** {@code /api}, as older clients read it. */
    static ObjectNode coreVersions() {
        ObjectNode versions = Json.MAPPER.createObjectNode();
        versions.put("kind", "APIVersions");
        versions.putArray("versions").add("v1");
        versions.putArray("serverAddressByClientCIDRs");
        return versions;
    }

    /** {@code /apis}, as older clients read it. */
    ObjectNode groupList() {
        ObjectNode list = Json.MAPPER.createObjectNode();
        list.put("kind", "APIGroupList").put("apiVersion", "v1");
        ArrayNode items = list.putArray("groups");
        groups().forEach(group -> describe(group, items.addObject()));
        return list;
    }

    /** {@code /apis/GROUP}. */
    ObjectNode group(String group) {
        ObjectNode document = Json.MAPPER.createObjectNode();
        document.put("kind", "APIGroup").put("apiVersion", "v1");
        describe(group, document);
        return document;
    }

    private void describe(String group, ObjectNode target) {
        target.put("name", group);
        ArrayNode versions = target.putArray("versions");
        for (String version : versions(group)) {
            describeVersion(versions.addObject(), group, version);
        }
        describeVersion(target.putObject("preferredVersion"), group, versions(group).getFirst());
    }

    private static void describeVersion(ObjectNode target, String group, String version) {
        target.put("groupVersion", group + "/" + version).put("version", version);
    }

    /**
     * {@code /api/v1} and {@code /apis/GROUP/VERSION}; without resources when there are none of it.
     */
    ObjectNode resourceList(String group, String version) {
        ObjectNode list = Json.MAPPER.createObjectNode();
        list.put("kind", "APIResourceList").put("apiVersion", "v1");
        list.put("groupVersion", group.isEmpty() ? version : group + "/" + version);
        ArrayNode resources = list.putArray("resources");
        for (KindDescriptor<?> descriptor : kinds(group, version)) {
            Kind<?> kind = descriptor.kind();
            ObjectNode resource = resources.addObject();
            resource.put("name", kind.plural());
            resource.put("singularName", kind.singular());
            resource.put("namespaced", kind.namespaced());
            resource.put("kind", kind.name());
            addTexts(resource, "verbs", VERBS);
            addTexts(resource, "shortNames", descriptor.shortNames());
            addTexts(resource, "categories", descriptor.categories());
            if (descriptor.hasStatus()) {
                ObjectNode status = resources.addObject();
                status.put("name", kind.plural() + "/status");
                status.put("singularName", "");
                status.put("namespaced", kind.namespaced());
                status.put("kind", kind.name());
                addTexts(status, "verbs", STATUS_VERBS);
            }
        }
        return list;
    }

    private static void addTexts(ObjectNode target, String field, List<String> texts) {
        if (!texts.isEmpty()) {
            ArrayNode array = target.putArray(field);
            texts.forEach(array::add);
        }
    }
}
