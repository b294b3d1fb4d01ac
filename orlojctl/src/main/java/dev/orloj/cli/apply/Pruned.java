package dev.orloj.cli.apply;

import dev.orloj.api.Kind;
import dev.orloj.api.ResourceKey;

/** A resource that was deleted because no manifest contains it any more. */
public record Pruned(Kind<?> kind, ResourceKey key) {}
