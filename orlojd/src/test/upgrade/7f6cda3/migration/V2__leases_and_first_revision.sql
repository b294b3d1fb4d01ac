-- Leases draw from a counter of their own: heartbeats hold up nothing else.
INSERT INTO revision_counter (shard, rev, compacted) VALUES ('leases', 1, 1);

CREATE TABLE resource_change_leases PARTITION OF resource_change FOR VALUES IN ('leases')
    PARTITION BY RANGE (rev);

-- Revisions start at 1000: a small resourceVersion, which clients make up now and then, is one of
-- the past that nobody remembers, and not one of the future.
UPDATE revision_counter
   SET compacted = CASE WHEN rev = 1 THEN 1000 ELSE compacted END,
       rev = greatest(rev, 1000);
