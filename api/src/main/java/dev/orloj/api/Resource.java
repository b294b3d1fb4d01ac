package dev.orloj.api;

/**
 * One object of the API. Implementations are immutable records whose components are the JSON
 * properties. The same type represents the YAML of a manifest, the JSON on the wire, the stored
 * document, and the input of a reconciler.
 */
public interface Resource {

    /** Returns group and version, such as {@code orloj.dev/v1}. */
    String apiVersion();

    /** Returns the name of the kind, such as {@code McpServer}. */
    String kind();

    ObjectMeta metadata();

    /** Returns a copy with other metadata. */
    Resource withMetadata(ObjectMeta metadata);

    /** Returns namespace and name. */
    default ResourceKey key() {
        return metadata().key();
    }
}
