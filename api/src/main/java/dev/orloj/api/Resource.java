package dev.orloj.api;

/**
 * One object of the API. Implementations are immutable records whose components are the JSON
 * properties: the same type is the YAML of a manifest, the JSON on the wire, the stored document
 * and what a reconciler reads.
 */
public interface Resource {

    /** Group and version, such as {@code orloj.dev/v1}. */
    String apiVersion();

    /** Name of the kind, such as {@code McpServer}. */
    String kind();

    ObjectMeta metadata();

    /** A copy with other metadata. */
    Resource withMetadata(ObjectMeta metadata);

    /** Namespace and name. */
    default ResourceKey key() {
        return metadata().key();
    }
}
