-- Keys that sign the tokens of ServiceAccounts, sealed like Secrets. Every replica verifies by all
-- of them; the newest signs.
CREATE TABLE signing_key (
    id         text        COLLATE "C" PRIMARY KEY,
    sealed     text        NOT NULL,
    created_at timestamptz NOT NULL DEFAULT clock_timestamp()
);

-- Bearer tokens of users: only a digest of each, from which the token cannot be computed.
CREATE TABLE user_token (
    name         text        COLLATE "C" PRIMARY KEY,
    digest       bytea       NOT NULL UNIQUE,
    username     text        NOT NULL,
    groups       text[]      NOT NULL,
    -- A token that was created with another one ends with it.
    parent       text        COLLATE "C" REFERENCES user_token (name) ON DELETE CASCADE,
    created_by   text        NOT NULL,
    created_at   timestamptz NOT NULL,
    expires_at   timestamptz NOT NULL,
    last_used_at timestamptz
);

CREATE INDEX user_token_username ON user_token (username);
CREATE INDEX user_token_parent ON user_token (parent) WHERE parent IS NOT NULL;
