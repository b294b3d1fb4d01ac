package dev.orloj.api.client;

import dev.orloj.api.ResourceKey;

/** One of several writes that belong together. */
public sealed interface Write<R> {

    record Create<R>(R resource) implements Write<R> {}

    record Update<R>(R resource) implements Write<R> {}

    record Delete<R>(ResourceKey key, DeleteOptions options) implements Write<R> {}
}
