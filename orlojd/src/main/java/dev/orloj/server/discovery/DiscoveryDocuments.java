package dev.orloj.server.discovery;

import dev.orloj.api.Kind;
import dev.orloj.api.codec.Json;
import dev.orloj.api.codec.Scheme;

import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.ObjectNode;

import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Stream;

/** Generates the discovery documents: groups, versions and resources. */
public final class DiscoveryDocuments {

    private final List<ApiResource> resources;

    /**
     * @param below subresources beside status and scale
     * @param further resources beside those of the scheme
     */
    public DiscoveryDocuments(
            Scheme scheme, Map<Kind<?>, ApiResource.Subresource> below, List<ApiResource> further) {
        Stream<ApiResource> known =
                scheme.descriptors().stream()
                        .map(
                                descriptor ->
                                        ApiResource.of(descriptor)
                                                .with(
                                                        Optional.ofNullable(
                                                                        below.get(
                                                                                descriptor.kind()))
                                                                .stream()
                                                                .toList()));
        this.resources = Stream.concat(known, further.stream()).toList();
    }

    /** Returns the names of all groups except the core group. */
    public List<String> groups() {
        return resources.stream()
                .map(ApiResource::group)
                .filter(group -> !group.isEmpty())
                .distinct()
                .toList();
    }

    private List<String> versions(String group) {
        return resources(group).stream().map(ApiResource::version).distinct().toList();
    }

    private List<ApiResource> resources(String group) {
        return resources.stream().filter(r -> r.group().equals(group)).toList();
    }

    private List<ApiResource> resources(String group, String version) {
        return resources(group).stream().filter(r -> r.version().equals(version)).toList();
    }

    /** Returns the groups with all their resources in one document (apidiscovery.k8s.io/v2). */
    public ObjectNode aggregated(List<String> groups) {
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
                ArrayNode entries = entry.putArray("resources");
                resources(group, version).forEach(r -> addAggregated(entries, r));
            }
        }
        return list;
    }

    private static void addAggregated(ArrayNode entries, ApiResource resource) {
        ObjectNode entry = entries.addObject();
        entry.put("resource", resource.plural());
        addResponseKind(entry, resource.group(), resource.version(), resource.kind());
        entry.put("scope", resource.namespaced() ? "Namespaced" : "Cluster");
        entry.put("singularResource", resource.singular());
        addTexts(entry, "shortNames", resource.shortNames());
        addTexts(entry, "categories", resource.categories());
        addTexts(entry, "verbs", resource.verbs());
        for (ApiResource.Subresource part : resource.subresources()) {
            ObjectNode below = entry.withArray("subresources").addObject();
            below.put("subresource", part.name());
            addResponseKind(below, part.group(), part.version(), part.kind());
            addTexts(below, "verbs", part.verbs());
        }
    }

    private static void addResponseKind(
            ObjectNode entry, String group, String version, String kind) {
        entry.putObject("responseKind")
                .put("group", group)
                .put("version", version)
                .put("kind", kind);
    }

    /** Returns {@code /api} for clients without aggregated discovery. */
    public static ObjectNode coreVersions() {
        ObjectNode versions = Json.MAPPER.createObjectNode();
        versions.put("kind", "APIVersions");
        versions.putArray("versions").add("v1");
        versions.putArray("serverAddressByClientCIDRs");
        return versions;
    }

    /** Returns {@code /apis} for clients without aggregated discovery. */
    public ObjectNode groupList() {
        ObjectNode list = Json.MAPPER.createObjectNode();
        list.put("kind", "APIGroupList").put("apiVersion", "v1");
        ArrayNode items = list.putArray("groups");
        groups().forEach(group -> describe(group, items.addObject()));
        return list;
    }

    /** Returns {@code /apis/GROUP}. */
    public ObjectNode group(String group) {
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
     * Returns {@code /api/v1} or {@code /apis/GROUP/VERSION}; without resources when there are
     * none.
     */
    public ObjectNode resourceList(String group, String version) {
        ObjectNode list = Json.MAPPER.createObjectNode();
        list.put("kind", "APIResourceList").put("apiVersion", "v1");
        list.put("groupVersion", group.isEmpty() ? version : group + "/" + version);
        ArrayNode entries = list.putArray("resources");
        for (ApiResource resource : resources(group, version)) {
            ObjectNode entry = entries.addObject();
            entry.put("name", resource.plural());
            entry.put("singularName", resource.singular());
            entry.put("namespaced", resource.namespaced());
            entry.put("kind", resource.kind());
            addTexts(entry, "verbs", resource.verbs());
            addTexts(entry, "shortNames", resource.shortNames());
            addTexts(entry, "categories", resource.categories());
            for (ApiResource.Subresource part : resource.subresources()) {
                addSubresource(entries.addObject(), resource, part);
            }
        }
        return list;
    }

    private static void addSubresource(
            ObjectNode entry, ApiResource resource, ApiResource.Subresource part) {
        entry.put("name", resource.plural() + "/" + part.name());
        entry.put("singularName", "");
        entry.put("namespaced", resource.namespaced());
        if (!part.group().equals(resource.group()) || !part.version().equals(resource.version())) {
            entry.put("group", part.group()).put("version", part.version());
        }
        entry.put("kind", part.kind());
        addTexts(entry, "verbs", part.verbs());
    }

    private static void addTexts(ObjectNode target, String field, List<String> texts) {
        if (!texts.isEmpty()) {
            ArrayNode array = target.putArray(field);
            texts.forEach(array::add);
        }
    }
}
