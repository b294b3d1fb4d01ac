-- What the Tools of each McpServer have been: entries that are only added, chained by hash. A ledger
-- outlives its server, so that tools that come back are known.

CREATE TABLE tool_ledger (
    namespace text        COLLATE "C" NOT NULL,
    server    text        COLLATE "C" NOT NULL,
    -- Of the newest entry; 0 and empty when there is none.
    sequence  bigint      NOT NULL DEFAULT 0,
    hash      text        NOT NULL DEFAULT '',
    -- Of the newest entry that summarizes those before, and where the next one is due.
    summary   bigint      NOT NULL DEFAULT 0,
    due       bigint      NOT NULL DEFAULT 0,
    record    text        NOT NULL DEFAULT '',      -- digest of the server's record
    -- Size of its contents, apart from what the present state needs; an estimate.
    bytes     bigint      NOT NULL DEFAULT 0,
    at        timestamptz NOT NULL DEFAULT clock_timestamp(),
    PRIMARY KEY (namespace, server)
);

-- An entry is canonical JSON (RFC 8785), whose SHA-256 is its hash.
CREATE TABLE tool_ledger_entry (
    namespace text   COLLATE "C" NOT NULL,
    server    text   COLLATE "C" NOT NULL,
    sequence  bigint NOT NULL,
    entry     text   NOT NULL,
    hash      text   NOT NULL,
    content   text   COLLATE "C" NOT NULL,           -- empty when it has none
    summary   boolean NOT NULL,                       -- whether the content is the state
    PRIMARY KEY (namespace, server, sequence)
);

-- Definitions as they were enrolled, records of servers and states, by their digests.
CREATE TABLE tool_ledger_content (
    namespace text COLLATE "C" NOT NULL,
    server    text COLLATE "C" NOT NULL,
    digest    text COLLATE "C" NOT NULL,
    sequence  bigint NOT NULL,                       -- of the first entry that has it
    document  text NOT NULL,
    PRIMARY KEY (namespace, server, digest)
);

CREATE FUNCTION refuse_change() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    RAISE EXCEPTION 'entries of a ledger are not changed';
END $$;

CREATE TRIGGER tool_ledger_entry_is_final BEFORE UPDATE ON tool_ledger_entry
    FOR EACH ROW EXECUTE FUNCTION refuse_change();
