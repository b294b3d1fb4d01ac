-- Resources and the log of their changes.
--
-- Every change has a revision, which is the resourceVersion of what it made. Revisions come from one
-- counter row per shard. Its lock is the last one that a writing transaction takes, and is held until
-- the commit: the order of revisions is the order of commits, without gaps, and whoever sees revision
-- R sees every change up to R.

CREATE TABLE revision_counter (
    shard     text   PRIMARY KEY,
    rev       bigint NOT NULL,
    -- Changes up to this one are no longer in the log.
    compacted bigint NOT NULL
) WITH (fillfactor = 10);

INSERT INTO revision_counter (shard, rev, compacted) VALUES ('main', 1, 1), ('events', 1, 1);

CREATE TABLE resource (
    kind             text   COLLATE "C" NOT NULL,   -- plural and group: tools.orloj.dev
    namespace        text   COLLATE "C" NOT NULL,   -- byte order is list order
    name             text   COLLATE "C" NOT NULL,
    uid              uuid   NOT NULL,
    resource_version bigint NOT NULL,
    labels           jsonb  NOT NULL,
    fields           jsonb  NOT NULL,               -- what field selectors of the kind may name
    owners           uuid[] NOT NULL,
    -- Not jsonb: keeps the order of keys, the exact spelling of numbers, and U+0000.
    document         json   NOT NULL,
    PRIMARY KEY (kind, namespace, name)
) WITH (fillfactor = 80);

CREATE INDEX resource_labels ON resource USING gin (labels jsonb_path_ops) WITH (fastupdate = off);
CREATE INDEX resource_owners ON resource USING gin (owners) WITH (fastupdate = off)
    WHERE owners <> '{}';

-- How many rows of resource there are: a list says how many follow a page without counting them.
CREATE TABLE resource_count (
    kind      text   COLLATE "C" NOT NULL,
    namespace text   COLLATE "C" NOT NULL,
    total     bigint NOT NULL,
    PRIMARY KEY (kind, namespace)
) WITH (fillfactor = 50);

CREATE TABLE resource_change (
    shard        text        NOT NULL,
    rev          bigint      NOT NULL,
    kind         text        COLLATE "C" NOT NULL,
    namespace    text        COLLATE "C" NOT NULL,
    name         text        COLLATE "C" NOT NULL,
    type         text        NOT NULL CHECK (type IN ('A', 'M', 'D')),
    object       json        NOT NULL,              -- the last state when type is D
    -- The state before, for selectors that the change entered or left and for lists of the past.
    prev         json,
    prev_version bigint,
    prev_labels  jsonb,
    prev_fields  jsonb,
    at           timestamptz NOT NULL,
    PRIMARY KEY (shard, rev)
) PARTITION BY LIST (shard);

CREATE INDEX resource_change_kind ON resource_change (kind, rev);

CREATE TABLE resource_change_main PARTITION OF resource_change FOR VALUES IN ('main')
    PARTITION BY RANGE (rev);
CREATE TABLE resource_change_events PARTITION OF resource_change FOR VALUES IN ('events')
    PARTITION BY RANGE (rev);

CREATE TABLE change_partition (
    shard     text   NOT NULL,
    first_rev bigint NOT NULL,
    end_rev   bigint NOT NULL,                      -- exclusive
    PRIMARY KEY (shard, first_rev)
);

-- Makes partitions until the next p_ahead revisions have a place. New ones start where the last
-- ends, so p_size may differ from one call to the next.
CREATE FUNCTION extend_change_log(p_shard text, p_size bigint, p_ahead bigint) RETURNS void
LANGUAGE plpgsql AS $$
DECLARE
    head      bigint;
    start     bigint;
    part      text;
BEGIN
    LOCK TABLE change_partition IN SHARE ROW EXCLUSIVE MODE;
    SELECT rev INTO STRICT head FROM revision_counter WHERE shard = p_shard;
    SELECT greatest(max(end_rev), head + 1) INTO start FROM change_partition WHERE shard = p_shard;
    WHILE start <= head + p_ahead LOOP
        part := format('resource_change_%s_%s', p_shard, start);
        -- Attached rather than created in place: that leaves readers and writers alone.
        EXECUTE format('CREATE TABLE %I (LIKE resource_change INCLUDING ALL)', part);
        EXECUTE format('ALTER TABLE %I ATTACH PARTITION %I FOR VALUES FROM (%s) TO (%s)',
                       'resource_change_' || p_shard, part, start, start + p_size);
        INSERT INTO change_partition VALUES (p_shard, start, start + p_size);
        start := start + p_size;
    END LOOP;
END $$;

-- Declares partitions forgotten that hold neither one of the last p_keep_changes changes nor one
-- younger than p_keep_for. What is forgotten is dropped by drop_forgotten_changes, in a transaction
-- of its own that holds up no writer.
CREATE FUNCTION forget_changes(p_shard text, p_keep_changes bigint, p_keep_for interval)
RETURNS bigint LANGUAGE plpgsql AS $$
DECLARE
    up_to bigint;
BEGIN
    SELECT max(p.end_rev) - 1 INTO up_to
      FROM change_partition p
      JOIN revision_counter c ON c.shard = p.shard
     WHERE p.shard = p_shard
       AND p.end_rev - 1 <= c.rev - p_keep_changes
       AND coalesce((SELECT l.at FROM resource_change l
                      WHERE l.shard = p_shard AND l.rev < p.end_rev
                      ORDER BY l.rev DESC LIMIT 1) < clock_timestamp() - p_keep_for, true);
    UPDATE revision_counter SET compacted = up_to WHERE shard = p_shard AND compacted < up_to;
    RETURN (SELECT compacted FROM revision_counter WHERE shard = p_shard);
END $$;

CREATE FUNCTION drop_forgotten_changes(p_shard text) RETURNS integer LANGUAGE plpgsql AS $$
DECLARE
    forgotten record;
    dropped   integer := 0;
BEGIN
    -- A reader that takes long must not make everybody queue up behind this.
    PERFORM set_config('lock_timeout', '1s', true);
    LOCK TABLE change_partition IN SHARE ROW EXCLUSIVE MODE;
    FOR forgotten IN
        SELECT p.first_rev FROM change_partition p JOIN revision_counter c ON c.shard = p.shard
         WHERE p.shard = p_shard AND p.end_rev - 1 <= c.compacted
    LOOP
        EXECUTE format('DROP TABLE %I', format('resource_change_%s_%s', p_shard, forgotten.first_rev));
        DELETE FROM change_partition WHERE shard = p_shard AND first_rev = forgotten.first_rev;
        dropped := dropped + 1;
    END LOOP;
    RETURN dropped;
END $$;

-- Writes one resource and its change at a revision that the caller drew. p_expected is the
-- resource_version that the row must have, 0 when there must be no row; a row that moved on fails
-- with serialization_failure, as only a creation that lost a race can make happen.
CREATE FUNCTION apply_write(
    p_shard text, p_rev bigint, p_kind text, p_namespace text, p_name text, p_expected bigint,
    p_uid uuid, p_labels jsonb, p_fields jsonb, p_owners uuid[], p_document json, p_removal boolean)
RETURNS void LANGUAGE plpgsql AS $$
DECLARE
    before resource%ROWTYPE;
BEGIN
    SELECT * INTO before FROM resource
     WHERE kind = p_kind AND namespace = p_namespace AND name = p_name;
    IF coalesce(before.resource_version, 0) <> p_expected THEN
        RAISE EXCEPTION '% %/% is not at version %', p_kind, p_namespace, p_name, p_expected
            USING ERRCODE = 'serialization_failure';
    END IF;
    IF p_removal THEN
        DELETE FROM resource WHERE kind = p_kind AND namespace = p_namespace AND name = p_name;
        UPDATE resource_count SET total = total - 1 WHERE kind = p_kind AND namespace = p_namespace;
    ELSIF p_expected = 0 THEN
        INSERT INTO resource (kind, namespace, name, uid, resource_version, labels, fields, owners, document)
        VALUES (p_kind, p_namespace, p_name, p_uid, p_rev, p_labels, p_fields, p_owners, p_document);
        INSERT INTO resource_count AS c VALUES (p_kind, p_namespace, 1)
            ON CONFLICT (kind, namespace) DO UPDATE SET total = c.total + 1;
    ELSE
        UPDATE resource
           SET uid = p_uid, resource_version = p_rev, labels = p_labels, fields = p_fields,
               owners = p_owners, document = p_document
         WHERE kind = p_kind AND namespace = p_namespace AND name = p_name;
    END IF;
    INSERT INTO resource_change (shard, rev, kind, namespace, name, type, object,
                                 prev, prev_version, prev_labels, prev_fields, at)
    VALUES (p_shard, p_rev, p_kind, p_namespace, p_name,
            CASE WHEN p_removal THEN 'D' WHEN p_expected = 0 THEN 'A' ELSE 'M' END, p_document,
            before.document, before.resource_version, before.labels, before.fields,
            clock_timestamp());
END $$;

-- Writes one resource in one round trip. Returns its revision, or null when it is not at p_expected.
CREATE FUNCTION write_resource(
    p_shard text, p_kind text, p_namespace text, p_name text, p_expected bigint,
    p_uid uuid, p_labels jsonb, p_fields jsonb, p_owners uuid[], p_document json, p_removal boolean)
RETURNS bigint LANGUAGE plpgsql AS $$
DECLARE
    actual   bigint;
    revision bigint;
BEGIN
    SELECT resource_version INTO actual FROM resource
     WHERE kind = p_kind AND namespace = p_namespace AND name = p_name
       FOR NO KEY UPDATE;
    IF coalesce(actual, 0) <> p_expected THEN
        RETURN NULL;
    END IF;
    UPDATE revision_counter SET rev = rev + 1 WHERE shard = p_shard RETURNING rev INTO revision;
    PERFORM apply_write(p_shard, revision, p_kind, p_namespace, p_name, p_expected,
                        p_uid, p_labels, p_fields, p_owners, p_document, p_removal);
    PERFORM pg_notify('orloj_change', p_shard);
    RETURN revision;
END $$;

-- Writes many resources of a kind, whose rows the caller has locked in the order of their keys.
-- The nth of them gets the nth revision after the one that the counter showed before.
-- Returns the last revision.
CREATE FUNCTION write_resources(
    p_shard text, p_kind text, p_namespaces text[], p_names text[], p_expected bigint[],
    p_uids text[], p_labels text[], p_fields text[], p_owners text[], p_documents text[],
    p_removals boolean[])
RETURNS bigint LANGUAGE plpgsql AS $$
DECLARE
    total    integer := cardinality(p_names);
    revision bigint;
BEGIN
    UPDATE revision_counter SET rev = rev + total WHERE shard = p_shard RETURNING rev INTO revision;
    FOR i IN 1..total LOOP
        PERFORM apply_write(p_shard, revision - total + i, p_kind, p_namespaces[i], p_names[i],
                            p_expected[i], p_uids[i]::uuid, p_labels[i]::jsonb, p_fields[i]::jsonb,
                            p_owners[i]::uuid[], p_documents[i]::json, p_removals[i]);
    END LOOP;
    PERFORM pg_notify('orloj_change', p_shard);
    RETURN revision;
END $$;
