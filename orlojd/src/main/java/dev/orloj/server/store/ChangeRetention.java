package dev.orloj.server.store;

import dev.orloj.api.codec.KindDescriptor;

import org.springframework.jdbc.core.simple.JdbcClient;

/** Gives the log room ahead of need, and forgets what is older than anyone is promised. */
final class ChangeRetention {

    private static final String EXTEND =
            "SELECT 1 FROM (SELECT extend_change_log(?, ?, ?)) AS done";

    private static final String FORGET = "SELECT forget_changes(?, ?, make_interval(secs => ?))";

    private static final String DROP = "SELECT drop_forgotten_changes(?)";

    private final JdbcClient jdbc;
    private final StoreSettings settings;

    ChangeRetention(JdbcClient jdbc, StoreSettings settings) {
        this.jdbc = jdbc;
        this.settings = settings;
    }

    /** Makes room for more changes than are written before the next call. */
    void extend(KindDescriptor.Shard shard) {
        long size = settings.changesPerPartition();
        jdbc.sql(EXTEND)
                .param(Shards.column(shard))
                .param(size)
                .param(2 * size)
                .query(Integer.class)
                .list();
    }

    /** Returns the revision up to which changes are forgotten. */
    long compact(KindDescriptor.Shard shard) {
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
