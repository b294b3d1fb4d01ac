-- The audit log: one row for each event, chained by hashes. Rows are only added, and the oldest are
-- deleted because of their age or number.
CREATE TABLE audit_event (
    sequence      bigint      PRIMARY KEY,
    previous_hash text        COLLATE "C" NOT NULL,
    hash          text        COLLATE "C" NOT NULL,
    event         text        COLLATE "C" NOT NULL,  -- byte for byte what the hash is of
    written_at    timestamptz NOT NULL DEFAULT clock_timestamp()
);

-- A writer locks this row before it adds others, so that there is one chain for all replicas.
CREATE TABLE audit_head (
    id       boolean PRIMARY KEY DEFAULT true CHECK (id),
    sequence bigint  NOT NULL,
    hash     text    COLLATE "C" NOT NULL,
    -- Signed checkpoint of the last row that was deleted because of its age or number.
    start    text
);
INSERT INTO audit_head (sequence, hash) VALUES (0, repeat('0', 64));

-- Against mistakes; who may change the schema can go round it, which the chain shows.
CREATE FUNCTION refuse_audit_change() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    RAISE EXCEPTION 'rows of audit_event are never changed';
END
$$;
CREATE TRIGGER audit_event_is_append_only BEFORE UPDATE OR TRUNCATE ON audit_event
    FOR EACH STATEMENT EXECUTE FUNCTION refuse_audit_change();
