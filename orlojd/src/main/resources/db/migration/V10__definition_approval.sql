-- What is known of the definitions of servers other than tools: what a server says of itself. The
-- columns are those of tool_approval. They have a table of their own, because an older orlojd takes
-- each row of tool_approval for a tool.

CREATE TABLE definition_approval (
    namespace text COLLATE "C" NOT NULL,
    server    text COLLATE "C" NOT NULL,
    name      text COLLATE "C" NOT NULL,             -- such as server/instructions
    state     text COLLATE "C" NOT NULL,
    digest    text COLLATE "C" NOT NULL,
    document  text,
    action    text NOT NULL DEFAULT '',
    reason    text NOT NULL DEFAULT '',
    serves    boolean NOT NULL DEFAULT false,
    actor     text NOT NULL DEFAULT '',
    at        timestamptz NOT NULL,
    PRIMARY KEY (namespace, server, name, state, digest),
    CHECK (state IN ('Held', 'Served', 'Approved', 'Rejected'))
);
