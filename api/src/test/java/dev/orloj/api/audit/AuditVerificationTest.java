package dev.orloj.api.audit;

import static org.assertj.core.api.Assertions.assertThat;

import dev.orloj.api.signature.Ed25519Key;

import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

import java.security.GeneralSecurityException;
import java.security.KeyPair;
import java.security.KeyPairGenerator;
import java.security.Signature;
import java.util.ArrayList;
import java.util.Base64;
import java.util.List;
import java.util.Optional;

@DisplayName("19, item 8: verification of the audit log finds what was done to it")
class AuditVerificationTest {

    private final KeyPair key = key();
    private final List<AuditRecord> log = chain("a", "b", "c", "d", "e");

    private static KeyPair key() {
        try {
            return KeyPairGenerator.getInstance(Ed25519Key.ALGORITHM).generateKeyPair();
        } catch (GeneralSecurityException e) {
            throw new IllegalStateException(e);
        }
    }

    private static List<AuditRecord> chain(String... names) {
        List<AuditRecord> records = new ArrayList<>();
        String hash = AuditRecord.GENESIS;
        for (String name : names) {
            AuditRecord next =
                    AuditRecord.after(records.size(), hash, "{\"name\":\"%s\"}".formatted(name));
            records.add(next);
            hash = next.hash();
        }
        return records;
    }

    private static AuditCheckpoint checkpoint(AuditRecord record, KeyPair key) {
        String time = "2026-11-23T00:00:00Z";
        try {
            Signature signature = Signature.getInstance(Ed25519Key.ALGORITHM);
            signature.initSign(key.getPrivate());
            signature.update(AuditCheckpoint.content(record.sequence(), record.hash(), time));
            Base64.Encoder encoder = Base64.getEncoder();
            return new AuditCheckpoint(
                    record.sequence(),
                    record.hash(),
                    time,
                    encoder.encodeToString(key.getPublic().getEncoded()),
                    encoder.encodeToString(signature.sign()));
        } catch (GeneralSecurityException e) {
            throw new IllegalStateException(e);
        }
    }

    private AuditCheckpoint checkpoint(AuditRecord record) {
        return checkpoint(record, key);
    }

    private static List<String> problems(
            List<AuditRecord> records, Optional<AuditCheckpoint> kept) {
        AuditVerification verification = new AuditVerification(kept);
        records.forEach(verification::take);
        return verification.problems();
    }

    private Optional<AuditCheckpoint> keptAtTheEnd() {
        return Optional.of(checkpoint(log.getLast()));
    }

    @Test
    void wholeLogHasNoProblems() {
        assertThat(problems(log, Optional.empty())).isEmpty();
        assertThat(problems(log, keptAtTheEnd())).isEmpty();
        assertThat(problems(log, Optional.of(checkpoint(log.get(2))))).isEmpty();
    }

    @Test
    void changedEventIsFound() {
        AuditRecord third = log.get(2);
        log.set(2, new AuditRecord(3, third.previousHash(), third.hash(), "{\"name\":\"x\"}"));

        assertThat(problems(log, Optional.empty())).containsExactly("event 3 was changed");
    }

    /** Who can write the table can compute hashes too. */
    @Test
    void changedEventWithAHashThatFitsIsFoundByTheNextOne() {
        log.set(2, AuditRecord.after(2, log.get(1).hash(), "{\"name\":\"x\"}"));

        assertThat(problems(log, Optional.empty()))
                .singleElement()
                .asString()
                .startsWith("event 4 does not follow event 3");
    }

    @Test
    void removedEventIsFound() {
        log.remove(2);

        assertThat(problems(log, Optional.empty())).containsExactly("event 3 is missing");
    }

    @Test
    void removedBeginningIsFound() {
        log.subList(0, 2).clear();

        assertThat(problems(log, Optional.empty())).containsExactly("events 1 to 2 are missing");
    }

    @Test
    void swappedEventsAreFound() {
        AuditRecord second = log.get(1);
        AuditRecord third = log.get(2);
        log.set(1, new AuditRecord(2, second.previousHash(), second.hash(), third.event()));
        log.set(2, new AuditRecord(3, third.previousHash(), third.hash(), second.event()));

        assertThat(problems(log, Optional.empty()))
                .containsExactly("event 2 was changed", "event 3 was changed");
    }

    /** A chain alone verifies after its tail is cut. */
    @Test
    void cutTailIsFoundByACheckpointOnly() {
        List<AuditRecord> cut = log.subList(0, 3);

        assertThat(problems(cut, Optional.empty())).isEmpty();
        assertThat(problems(cut, keptAtTheEnd()))
                .singleElement()
                .asString()
                .startsWith("the log ends with event 3, but the checkpoint of");
    }

    @Test
    void olderStateThatWasRestoredAndContinuedIsFound() {
        assertThat(problems(chain("a", "b", "c", "x", "y", "z"), keptAtTheEnd()))
                .singleElement()
                .asString()
                .startsWith("event 5 is not the one that the checkpoint of");
    }

    @Test
    void logWithoutItsOldestEventsVerifiesFromTheCheckpointThatReplacesThem() {
        AuditVerification verification = new AuditVerification(keptAtTheEnd());
        verification.begin(checkpoint(log.get(1)));
        log.subList(2, 5).forEach(verification::take);
        verification.end(checkpoint(log.getLast()));

        assertThat(verification.problems()).isEmpty();
        assertThat(verification.first()).isEqualTo(3);
    }

    @Test
    void startWithTheSignatureOfAnotherKeyIsFound() {
        AuditVerification verification = new AuditVerification(keptAtTheEnd());
        verification.begin(checkpoint(log.get(1), key()));
        log.subList(2, 5).forEach(verification::take);

        assertThat(verification.problems())
                .singleElement()
                .asString()
                .startsWith("the checkpoint at the start of the log is signed with key");
    }

    @Test
    void checkpointThatWasChangedIsFound() {
        AuditCheckpoint honest = checkpoint(log.getLast());
        AuditCheckpoint changed =
                new AuditCheckpoint(
                        3,
                        log.get(2).hash(),
                        honest.time(),
                        honest.publicKey(),
                        honest.signature());

        assertThat(problems(log, Optional.of(changed)))
                .containsExactly("the checkpoint that was given has a wrong signature");
    }

    @Test
    void recordAndCheckpointSurviveTheirText() {
        AuditRecord record = log.getFirst();
        AuditCheckpoint checkpoint = checkpoint(record);

        assertThat(AuditRecord.parse(record.line())).contains(record);
        assertThat(AuditCheckpoint.parse(checkpoint.toJson().toString())).contains(checkpoint);
        assertThat(AuditRecord.parse(checkpoint.toJson().toString())).isEmpty();
        assertThat(AuditCheckpoint.parse(record.line())).isEmpty();
    }
}
