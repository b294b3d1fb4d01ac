package dev.orloj.api.signature;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class SignedNoteTest {

    /** The example of the documentation of golang.org/x/mod/sumdb/note. */
    private static final String KEY =
            "PeterNeumann+c74f20a3+ARpc2QcUPDhMQegwxbzhKqiBfsVkmqq/LDE4izWy10TW";

    private static final String NOTE =
            """
            If you think cryptography is the answer to your problem,
            then you don't know what your problem is.

            \u2014 PeterNeumann x08go/ZJkuBS9UG/SffcvIAQxVBtiFupLLr8pAcElZInNIuGUgYN1FFYC2pZSNXgKvqfqdngotpRZb6KE6RyyBwJnAM=
            """;

    @Test
    void noteOfAnotherProgramIsReadAndVerified() {
        Ed25519Key key = SignedNote.parseVerifierKey(KEY).orElseThrow();
        SignedNote note = SignedNote.parse(NOTE).orElseThrow();

        assertThat(note.name()).isEqualTo("PeterNeumann");
        assertThat(note.isSignedBy(key)).isTrue();
        assertThat(note.note()).isEqualTo(NOTE);
        assertThat(SignedNote.verifierKey("PeterNeumann", key)).isEqualTo(KEY);
        assertThat(SignedNote.parse(NOTE.replace("answer", "cause")).orElseThrow().isSignedBy(key))
                .isFalse();
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "",
                "text\n",
                "text\n\n\u2014 name\n",
                "text\n\n\u2014 name AAAA\n",
                "text\n\n\u2014 name !!!!\n",
                "text\n\n"
                    + "\u2014 name"
                    + " x08go/ZJkuBS9UG/SffcvIAQxVBtiFupLLr8pAcElZInNIuGUgYN1FFYC2pZSNXgKvqfqdngotpRZb6KE6RyyBwJnAM="
            })
    void otherTextsAreNoNotes(String text) {
        assertThat(SignedNote.parse(text)).isEmpty();
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "",
                "name",
                "name+00000000+!!!!",
                "name+00000000+AQ==",
                "PeterNeumann+c74f20a4+ARpc2QcUPDhMQegwxbzhKqiBfsVkmqq/LDE4izWy10TW"
            })
    void otherTextsAreNoKeys(String text) {
        assertThat(SignedNote.parseVerifierKey(text)).isEmpty();
        assertThat(new Ed25519Key(text).bytes()).isEmpty();
        assertThat(new Ed25519Key(text).verifies(new byte[0], new byte[64])).isFalse();
    }
}
