package dev.orloj.server.store.change;

import dev.orloj.api.codec.KindDescriptor;
import dev.orloj.server.store.table.Shards;
import dev.orloj.server.store.table.StoreSettings;

import org.springframework.jdbc.core.simple.JdbcClient;

/**
 * Adds partitions to the log ahead of need, and drops those that are older than the guaranteed
 * retention.
 */
public final class ChangeRetention {

    private static final String EXTEND =
            "SELECT 1 FROM (SELECT extend_change_log(?, ?, ?)) AS done";

    private static final String FORGET = "SELECT forget_changes(?, ?, make_interval(secs => ?))";

    private static final String DROP = "SELECT drop_forgotten_changes(?)";

    private final JdbcClient jdbc;
    private final StoreSettings settings;

    public ChangeRetention(JdbcClient jdbc, StoreSettings settings) {
        this.jdbc = jdbc;
        this.settings = settings;
    }

    /** Adds room for more changes than are written before the next run. */
    public void extend(KindDescriptor.Shard shard) {
        long size = settings.changesPerPartition();
        jdbc.sql(EXTEND)
                .param(Shards.column(shard))
                .param(size)
                .param(2 * size)
                .query(Integer.class)
                .list();
    }

    /** Returns the revision up to which changes are removed. */
    public long compact(KindDescriptor.Shard shard) {
        String name = Shards.column(shard);
        long compacted =
                jdbc.sql(FORGET)
                        .param(name)
                        .param(settings.keepChanges())
                        .param((double) settings.keepChangesFor().toMillis() / 1000)
                        .query(Long.class)
                        .single();
        jdbc.sql(DROP).param(name).query(Integer.class).single();
        return compacted;
    }
}
