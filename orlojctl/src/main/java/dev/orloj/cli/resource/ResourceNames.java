package dev.orloj.cli.resource;

import dev.orloj.api.Kind;
import dev.orloj.api.codec.Json;
import dev.orloj.cli.command.Context;
import dev.orloj.cli.http.Request;
import dev.orloj.cli.http.ResourceSelection;

import tools.jackson.databind.JsonNode;

import java.util.List;
import java.util.stream.Stream;

/** Reads the names of resources, without their specs. */
public final class ResourceNames {

    private static final String LIMIT = "500";

    private ResourceNames() {}

    /**
     * Returns the names of the first resources of a kind.
     *
     * @param namespace empty for all
     */
    public static List<String> of(Context context, Kind<?> kind, String namespace) {
        return metadata(context, ResourceSelection.everything(kind, namespace))
                .map(metadata -> metadata.path("name").asString(""))
                .toList();
    }

    /** Returns the metadata of the first of the selected resources. */
    static Stream<JsonNode> metadata(Context context, ResourceSelection selection) {
        Request request =
                selection
                        .request()
                        .with("limit", LIMIT)
                        .accepting(
                                "application/json;as=PartialObjectMetadataList;v=v1;g=meta.k8s.io,"
                                        + Request.JSON);
        return Json.MAPPER
                .readTree(context.connection().read(request))
                .path("items")
                .valueStream()
                .map(item -> item.path("metadata"));
    }
}
