-- What is known of the definitions of tools apart from the Tools: what a server offers and is not
-- served (Held), what was served last by a Tool that is gone (Served), and what people decided
-- (Approved, Rejected). The rows outlive the server as its ledger does.

CREATE TABLE tool_approval (
    namespace text COLLATE "C" NOT NULL,
    server    text COLLATE "C" NOT NULL,
    tool      text COLLATE "C" NOT NULL,             -- its name on the server
    state     text COLLATE "C" NOT NULL,
    digest    text COLLATE "C" NOT NULL,
    document  text,                                  -- the definition, of Held and Served
    action    text NOT NULL DEFAULT '',              -- of Held: quarantine or reject
    reason    text NOT NULL DEFAULT '',              -- of Held
    serves    boolean NOT NULL DEFAULT false,        -- of Held: whether another one is served instead
    actor     text NOT NULL DEFAULT '',              -- of Approved and Rejected
    at        timestamptz NOT NULL,
    PRIMARY KEY (namespace, server, tool, state, digest),
    CHECK (state IN ('Held', 'Served', 'Approved', 'Rejected'))
);
