package dev.orloj.server.builtin;

import dev.orloj.api.ApiException;
import dev.orloj.api.FieldSelector;
import dev.orloj.api.LabelSelector;
import dev.orloj.api.ResourceKey;
import dev.orloj.api.ResourceVersion;
import dev.orloj.api.client.ListOptions;
import dev.orloj.api.client.Watch;
import dev.orloj.api.client.WatchOptions;
import dev.orloj.api.codec.KindDescriptor;
import dev.orloj.api.codec.Scheme;
import dev.orloj.server.registry.ResourceReader;
import dev.orloj.server.store.table.DocumentList;

import tools.jackson.databind.node.ObjectNode;

import java.util.List;
import java.util.Map;

/**
 * Serves resources that are not stored: they are derived from the kinds of the server and do not
 * change while it runs. Immutable.
 */
public final class BuiltinResources implements ResourceReader {

    static final ResourceVersion VERSION = new ResourceVersion(1);

    private final Map<KindDescriptor<?>, List<ObjectNode>> resources;

    /**
     * @param scheme the kinds to describe by definitions
     */
    public BuiltinResources(Scheme scheme) {
        this.resources =
                Map.of(
                        Service.DESCRIPTOR,
                        List.of(),
                        CustomResourceDefinition.DESCRIPTOR,
                        CustomResourceDefinitions.of(scheme));
    }

    /** Returns all kinds that are served here. */
    public static List<KindDescriptor<?>> kinds() {
        return List.of(Service.DESCRIPTOR, CustomResourceDefinition.DESCRIPTOR);
    }

    @Override
    public ObjectNode get(KindDescriptor<?> kind, ResourceKey key) {
        return select(kind, FieldSelector.ofName(key.name()), LabelSelector.EVERYTHING).stream()
                .findFirst()
                .orElseThrow(() -> ApiException.notFound(kind.kind(), key.name()));
    }

    /** Returns all items on one page, because there are few. */
    @Override
    public DocumentList list(KindDescriptor<?> kind, ListOptions options) {
        List<ObjectNode> items = select(kind, options.fields(), options.labels());
        return new DocumentList(VERSION, items, "", 0);
    }

    @Override
    public DocumentList listAt(
            KindDescriptor<?> kind, ListOptions options, ResourceVersion revision) {
        if (!revision.equals(VERSION)) {
            throw ApiException.expired(
                    "there is no revision %s of %s, only %s"
                            .formatted(revision, kind.kind(), VERSION));
        }
        return list(kind, options);
    }

    @Override
    public Watch<ObjectNode> watch(KindDescriptor<?> kind, WatchOptions options) {
        List<ObjectNode> selected = select(kind, options.fields(), options.labels());
        return options.from().isSet()
                ? new QuietWatch(VERSION)
                : QuietWatch.beginningWith(selected, VERSION);
    }

    @Override
    public ResourceVersion head(KindDescriptor<?> kind) {
        return VERSION;
    }

    /** Selects resources, none of which has labels or a namespace. */
    private List<ObjectNode> select(
            KindDescriptor<?> kind, FieldSelector fields, LabelSelector labels) {
        for (FieldSelector.Requirement requirement : fields.requirements()) {
            if (!requirement.field().equals("metadata.name")
                    && !requirement.field().equals("metadata.namespace")) {
                throw ApiException.badRequest("field label not supported: " + requirement.field());
            }
        }
        return resources.getOrDefault(kind, List.of()).stream()
                .filter(_ -> labels.matches(Map.of()))
                .filter(
                        document ->
                                fields.matches(
                                        Map.of(
                                                "metadata.name",
                                                document.at("/metadata/name").asString(""))))
                .toList();
    }
}
