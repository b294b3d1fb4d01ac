-- Calls that go on without their callers, or that a key keeps from being made twice. Answers are
-- sealed like Secrets; arguments are not kept, only a digest of the request that no one without the
-- key of the Secrets can make.

CREATE TABLE tool_call (
    id         text        COLLATE "C" PRIMARY KEY,
    namespace  text        COLLATE "C" NOT NULL,
    tool       text        COLLATE "C" NOT NULL,
    caller     text        NOT NULL,
    key        text,
    request    text        NOT NULL,
    replica    text        NOT NULL,                -- which makes the call
    created_at timestamptz NOT NULL DEFAULT clock_timestamp(),
    -- When the replica last showed that it goes on; all by the clock of the database.
    seen_at    timestamptz NOT NULL DEFAULT clock_timestamp(),
    cancelling boolean     NOT NULL DEFAULT false,
    state      text        NOT NULL DEFAULT 'Running'
               CHECK (state IN ('Running', 'Completed', 'Failed', 'Cancelled')),
    ended_at   timestamptz CHECK ((ended_at IS NULL) = (state = 'Running')),
    answer     text
);

CREATE UNIQUE INDEX tool_call_key ON tool_call (namespace, tool, caller, key) WHERE key IS NOT NULL;
CREATE INDEX tool_call_running ON tool_call (replica) WHERE ended_at IS NULL;
CREATE INDEX tool_call_ended ON tool_call (ended_at) WHERE ended_at IS NOT NULL;
