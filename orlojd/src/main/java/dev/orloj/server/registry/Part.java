package dev.orloj.server.registry;

/** The part of a resource that a write changes. */
public enum Part {
    /** Metadata and desired state; a status in the document is ignored. */
    RESOURCE,
    /** The status; everything else in the document is ignored. */
    STATUS,
    /** The finalizers in the spec; everything else in the document is ignored. */
    FINALIZERS
}
