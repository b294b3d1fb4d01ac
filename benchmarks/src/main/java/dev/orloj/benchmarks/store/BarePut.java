package dev.orloj.benchmarks.store;

import dev.orloj.benchmarks.database.Database;

import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;

/**
 * What any store of resources with a watch has to do in PostgreSQL, and nothing else: order
 * writers, compare the version, draw a revision, store, log and announce; in one round trip.
 */
public final class BarePut {

    /** Key, expected revision (0 for none) and document; returns the new revision. */
    public static final String CALL = "SELECT bench_put(?, ?, ?::jsonb)";

    /** Channel of the announcements; the payload is the key. */
    public static final String CHANNEL = "bench_change";

    static final String INSERT = "INSERT INTO bench_row (body) VALUES (?::jsonb)";

    private static final String SCHEMA =
            """
            CREATE SEQUENCE bench_rev;
            CREATE TABLE bench_row (body jsonb NOT NULL);
            CREATE TABLE bench_object (k text PRIMARY KEY, rev bigint NOT NULL, body jsonb NOT NULL);
            CREATE TABLE bench_change (rev bigint PRIMARY KEY, k text NOT NULL, body jsonb NOT NULL);
            CREATE FUNCTION bench_put(p_key text, p_expected bigint, p_body jsonb) RETURNS bigint
            LANGUAGE plpgsql AS $$
            DECLARE
                actual   bigint;
                revision bigint;
            BEGIN
                PERFORM pg_advisory_xact_lock(4711);
                SELECT rev INTO actual FROM bench_object WHERE k = p_key FOR UPDATE;
                IF coalesce(actual, 0) <> p_expected THEN
                    RAISE EXCEPTION '% is not at %', p_key, p_expected USING ERRCODE = '40001';
                END IF;
                revision := nextval('bench_rev');
                INSERT INTO bench_object VALUES (p_key, revision, p_body)
                    ON CONFLICT (k) DO UPDATE SET rev = excluded.rev, body = excluded.body;
                INSERT INTO bench_change VALUES (revision, p_key, p_body);
                PERFORM pg_notify('bench_change', p_key);
                RETURN revision;
            END $$;
            """;

    private BarePut() {}

    /** Creates what the statements need; once per database. */
    public static void createIn(Database database) throws SQLException {
        try (Connection connection = database.connect();
                Statement statement = connection.createStatement()) {
            statement.execute(SCHEMA);
        }
    }
}
