-- Of Held: the name on the server that the tool had before it was renamed; empty if it was not. The
-- tables have the same columns. An older orlojd writes neither.

ALTER TABLE tool_approval ADD COLUMN former text COLLATE "C" NOT NULL DEFAULT '';
ALTER TABLE definition_approval ADD COLUMN former text COLLATE "C" NOT NULL DEFAULT '';
