package dev.orloj.server.store;

import dev.orloj.api.codec.KindDescriptor;

import java.util.Locale;

/** The names of shards in the database. */
final class Shards {

    private Shards() {}

    static String column(KindDescriptor.Shard shard) {
        return shard.name().toLowerCase(Locale.ROOT);
    }
}
