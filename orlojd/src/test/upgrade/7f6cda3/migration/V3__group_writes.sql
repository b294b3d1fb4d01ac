-- One function for every write: of one resource, of many that belong together, and of the writes of
-- several writers that share a transaction, so that one flush to disk serves them all.

-- Writes resources of one shard, given in the order of their keys, each of them only when it is at
-- its version of p_expected (0: not there). Returns the revision of each, null where the version was
-- another; those that are written get consecutive revisions in the given order.
--
-- Rows are locked before the counter, by everybody: who holds the counter waits for no one.
-- The announcement says up to which revision there is something to read.
CREATE FUNCTION write_resources(
    p_shard text, p_kinds text[], p_namespaces text[], p_names text[], p_expected bigint[],
    p_uids text[], p_labels text[], p_fields text[], p_owners text[], p_documents text[],
    p_removals boolean[])
RETURNS bigint[] LANGUAGE plpgsql AS $$
DECLARE
    revisions bigint[] := '{}';
    head      bigint;
    written   bigint := 0;
    w         record;
    before    resource%ROWTYPE;
BEGIN
    FOR w IN SELECT * FROM unnest(p_kinds, p_namespaces, p_names) AS t (kind, namespace, name) LOOP
        PERFORM 1 FROM resource
          WHERE kind = w.kind AND namespace = w.namespace AND name = w.name
            FOR NO KEY UPDATE;
    END LOOP;
    SELECT rev INTO STRICT head FROM revision_counter WHERE shard = p_shard FOR NO KEY UPDATE;
    FOR w IN
        SELECT * FROM unnest(p_kinds, p_namespaces, p_names, p_expected, p_uids::uuid[],
                             p_labels::jsonb[], p_fields::jsonb[], p_owners, p_documents::json[],
                             p_removals)
            AS t (kind, namespace, name, expected, uid, labels, fields, owners, document, removal)
    LOOP
        -- Seen anew: of two that create one name, the second finds out here.
        SELECT * INTO before FROM resource
         WHERE kind = w.kind AND namespace = w.namespace AND name = w.name;
        IF coalesce(before.resource_version, 0) <> w.expected THEN
            revisions := revisions || NULL::bigint;
            CONTINUE;
        END IF;
        written := written + 1;
        revisions := revisions || (head + written);
        IF w.removal THEN
            DELETE FROM resource
             WHERE kind = w.kind AND namespace = w.namespace AND name = w.name;
            UPDATE resource_count SET total = total - 1
             WHERE kind = w.kind AND namespace = w.namespace;
        ELSIF w.expected = 0 THEN
            INSERT INTO resource (kind, namespace, name, uid, resource_version, labels, fields,
                                  owners, document)
            VALUES (w.kind, w.namespace, w.name, w.uid, head + written, w.labels, w.fields,
                    w.owners::uuid[], w.document);
            INSERT INTO resource_count AS c VALUES (w.kind, w.namespace, 1)
                ON CONFLICT (kind, namespace) DO UPDATE SET total = c.total + 1;
        ELSE
            UPDATE resource
               SET uid = w.uid, resource_version = head + written, labels = w.labels,
                   fields = w.fields, owners = w.owners::uuid[], document = w.document
             WHERE kind = w.kind AND namespace = w.namespace AND name = w.name;
        END IF;
        INSERT INTO resource_change (shard, rev, kind, namespace, name, type, object,
                                     prev, prev_version, prev_labels, prev_fields, at)
        VALUES (p_shard, head + written, w.kind, w.namespace, w.name,
                CASE WHEN w.removal THEN 'D' WHEN w.expected = 0 THEN 'A' ELSE 'M' END, w.document,
                before.document, before.resource_version, before.labels, before.fields,
                clock_timestamp());
    END LOOP;
    IF written > 0 THEN
        UPDATE revision_counter SET rev = head + written WHERE shard = p_shard;
        PERFORM pg_notify('orloj_change', p_shard || ' ' || (head + written));
    END IF;
    RETURN revisions;
END $$;

DROP FUNCTION write_resource(
    text, text, text, text, bigint, uuid, jsonb, jsonb, uuid[], json, boolean);
DROP FUNCTION write_resources(
    text, text, text[], text[], bigint[], text[], text[], text[], text[], text[], boolean[]);
DROP FUNCTION apply_write(
    text, bigint, text, text, text, bigint, uuid, jsonb, jsonb, uuid[], json, boolean);
