-- The prompts, resource templates and resources of servers that are served: the fold of what the
-- ledgers say of them, as Tools are of tools.

CREATE TABLE served_definition (
    namespace text COLLATE "C" NOT NULL,
    server    text COLLATE "C" NOT NULL,
    name      text COLLATE "C" NOT NULL,             -- such as prompt/review
    digest    text COLLATE "C" NOT NULL,
    document  text NOT NULL,
    PRIMARY KEY (namespace, server, name)
);

-- When the prompts and resources of a server were listed first; null before that.
ALTER TABLE tool_ledger ADD COLUMN features_at timestamptz;
