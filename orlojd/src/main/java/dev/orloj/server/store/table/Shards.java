package dev.orloj.server.store.table;

import dev.orloj.api.codec.KindDescriptor;

import java.util.Locale;

/** The names of shards in the database. */
public final class Shards {

    private Shards() {}

    public static String column(KindDescriptor.Shard shard) {
        return shard.name().toLowerCase(Locale.ROOT);
    }
}
