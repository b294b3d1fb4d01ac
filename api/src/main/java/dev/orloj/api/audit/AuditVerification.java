package dev.orloj.api.audit;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * Verifies a log, record by record in the order of their sequence. A chain alone does not show that
 * its end is missing, so what it has to end with comes from checkpoints. Not thread-safe.
 */
public final class AuditVerification {

    private static final int MAX_PROBLEMS = 20;

    private final Optional<AuditCheckpoint> kept;
    private final List<String> problems = new ArrayList<>();
    private long first;
    private long last;
    private String hash = AuditRecord.GENESIS;

    /**
     * @param kept a checkpoint that was kept elsewhere, which counts more than what the log says of
     *     itself
     */
    public AuditVerification(Optional<AuditCheckpoint> kept) {
        this.kept = kept;
        kept.ifPresent(checkpoint -> requireSigned("the checkpoint that was given", checkpoint));
    }

    /**
     * The records before and including that of the checkpoint were deleted because of their age.
     */
    public void begin(AuditCheckpoint start) {
        requireSigned("the checkpoint at the start of the log", start);
        requireSameKey("the checkpoint at the start of the log", start);
        last = start.sequence();
        hash = start.hash();
        compareWithKept();
    }

    public void take(AuditRecord record) {
        if (first == 0) {
            first = record.sequence();
        }
        if (record.sequence() > last + 1) {
            report(
                    record.sequence() == last + 2
                            ? "event %d is missing".formatted(last + 1)
                            : "events %d to %d are missing"
                                    .formatted(last + 1, record.sequence() - 1));
        } else if (record.sequence() <= last) {
            report("event %d comes after event %d".formatted(record.sequence(), last));
        } else if (!record.previousHash().equals(hash)) {
            report(
                    "event %d does not follow event %d: one of them was changed or replaced"
                            .formatted(record.sequence(), last));
        }
        if (!record.hash().equals(record.expectedHash())) {
            report("event %d was changed".formatted(record.sequence()));
        }
        last = record.sequence();
        hash = record.hash();
        compareWithKept();
    }

    /** Instead of a record, or after the last one, there is a line that is none. */
    public void takeUnreadable() {
        report("after event %d there is a line that is no event".formatted(last));
    }

    private void compareWithKept() {
        if (kept.isPresent() && kept.get().sequence() == last && !kept.get().hash().equals(hash)) {
            report(
                    "event %d is not the one that the checkpoint of %s names: the log was rewritten, or an older state was restored and continued"
                            .formatted(last, kept.get().time()));
        }
    }

    /** Compares the end with the checkpoint that the server has now signed. */
    public void end(AuditCheckpoint head) {
        requireSigned("the checkpoint at the end of the log", head);
        requireSameKey("the checkpoint at the end of the log", head);
        if (head.sequence() > last) {
            reportCut(head);
        } else if (head.sequence() == last && !head.hash().equals(hash)) {
            report("event %d is not the last one that was written".formatted(last));
        }
    }

    /** Returns what is wrong; empty when the log is whole. To be called once, at the end. */
    public List<String> problems() {
        kept.filter(checkpoint -> checkpoint.sequence() > last).ifPresent(this::reportCut);
        return List.copyOf(problems);
    }

    private void reportCut(AuditCheckpoint checkpoint) {
        report(
                "the log ends with event %d, but the checkpoint of %s names event %d: the newest events were removed, or an older state was restored"
                        .formatted(last, checkpoint.time(), checkpoint.sequence()));
    }

    /** Returns the sequence of the first record; 0 without one. */
    public long first() {
        return first;
    }

    /** Returns the sequence of the last record, also of one that was deleted because of its age. */
    public long last() {
        return last;
    }

    private void requireSigned(String what, AuditCheckpoint checkpoint) {
        if (!checkpoint.isSigned()) {
            report(what + " has a wrong signature");
        }
    }

    private void requireSameKey(String what, AuditCheckpoint checkpoint) {
        kept.filter(known -> !known.publicKey().equals(checkpoint.publicKey()))
                .ifPresent(
                        known ->
                                report(
                                        "%s is signed with key %s, and the one that was given with key %s"
                                                .formatted(
                                                        what, checkpoint.keyId(), known.keyId())));
    }

    private void report(String problem) {
        if (problems.size() < MAX_PROBLEMS && !problems.contains(problem)) {
            problems.add(problem);
        }
    }
}
