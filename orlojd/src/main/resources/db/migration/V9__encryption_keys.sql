-- The keys that values are encrypted with, wrapped by a key that is kept outside of the database.
-- New values use the current data key; retired ones are there until no value names them. A removed
-- one keeps its row without the key, so that no late writer can store a value that nobody can read.
-- The derivation key is what keys for signatures and digests are derived from: it stays when the
-- others are replaced.

CREATE TABLE encryption_key (
    purpose    text        COLLATE "C" NOT NULL CHECK (purpose IN ('data', 'derivation')),
    id         text        COLLATE "C" NOT NULL,
    state      text        NOT NULL CHECK (state IN ('Current', 'Retired', 'Removed')),
    wrapped_by text        COLLATE "C" NOT NULL,    -- id of the key that wraps it
    wrapped    text        NOT NULL,                -- empty when it is removed
    created_at timestamptz NOT NULL DEFAULT clock_timestamp(),
    retired_at timestamptz,
    removed_at timestamptz,
    PRIMARY KEY (purpose, id),
    CHECK ((wrapped = '') = (state = 'Removed'))
);

CREATE UNIQUE INDEX encryption_key_current ON encryption_key (purpose) WHERE state = 'Current';

-- Refuses text with a value of a key that is removed. The lock keeps the key until the transaction
-- ends: whoever removes it waits, and then sees the value.
CREATE FUNCTION require_encryption_keys(sealed text) RETURNS void LANGUAGE plpgsql AS $$
DECLARE
    named     text;
    its_state text;
BEGIN
    FOR named IN
        SELECT DISTINCT parts[1]
          FROM regexp_matches(sealed, 'orloj:v1:([0-9a-f]+):', 'g') AS matches (parts)
         ORDER BY 1
    LOOP
        SELECT state INTO its_state FROM encryption_key
         WHERE purpose = 'data' AND id = named FOR SHARE;
        IF its_state = 'Removed' THEN
            RAISE EXCEPTION 'encryption key % is removed', named
                USING ERRCODE = 'serialization_failure';
        END IF;
    END LOOP;
END $$;

CREATE FUNCTION require_keys_of_resource() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    PERFORM require_encryption_keys(NEW.document::text);
    RETURN NEW;
END $$;

CREATE FUNCTION require_keys_of_change() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    PERFORM require_encryption_keys(NEW.object::text);
    RETURN NEW;
END $$;

CREATE FUNCTION require_keys_of_call() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    PERFORM require_encryption_keys(left(NEW.answer, 64));
    RETURN NEW;
END $$;

CREATE FUNCTION require_keys_of_signing_key() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    PERFORM require_encryption_keys(left(NEW.sealed, 64));
    RETURN NEW;
END $$;

CREATE TRIGGER encryption_keys BEFORE INSERT OR UPDATE OF document ON resource
    FOR EACH ROW WHEN (NEW.kind = 'secrets.orloj.dev')
    EXECUTE FUNCTION require_keys_of_resource();

-- Other changes have the document of a resource that was written in the same transaction.
CREATE TRIGGER encryption_keys BEFORE INSERT ON resource_change
    FOR EACH ROW WHEN (NEW.kind = 'secrets.orloj.dev' AND NEW.type = 'D')
    EXECUTE FUNCTION require_keys_of_change();

CREATE TRIGGER encryption_keys BEFORE INSERT OR UPDATE OF answer ON tool_call
    FOR EACH ROW WHEN (NEW.answer IS NOT NULL)
    EXECUTE FUNCTION require_keys_of_call();

CREATE TRIGGER encryption_keys BEFORE INSERT OR UPDATE OF sealed ON signing_key
    FOR EACH ROW EXECUTE FUNCTION require_keys_of_signing_key();
