package dev.orloj.server.rest.ledger;

import dev.orloj.api.ledger.LedgerCheckpoint;
import dev.orloj.server.rest.http.Responses;
import dev.orloj.server.rest.request.ApiPath;
import dev.orloj.server.security.CheckpointSigner;
import dev.orloj.server.store.ledger.LedgerReading;
import dev.orloj.server.store.table.SecretCipher;

import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;

import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.RestController;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.time.InstantSource;

/** Signs what the ledgers have come to: those of all namespaces, or of one. */
@RestController
class LedgerCheckpointEndpoint {

    private static final String VERSION = "/apis/orloj.dev/v1";
    private static final String CHECKPOINT = "/toolledgers/checkpoint";
    private static final String PURPOSE = "orloj tool ledger checkpoints";
    private static final String TEXT = "text/plain; charset=utf-8";

    private final LedgerReading ledgers;
    private final SecretCipher cipher;
    private final CheckpointSigner key;
    private final InstantSource clock;

    LedgerCheckpointEndpoint(LedgerReading ledgers, SecretCipher cipher, InstantSource clock) {
        this.ledgers = ledgers;
        this.cipher = cipher;
        this.key = new CheckpointSigner(cipher.derive(PURPOSE, "Generic"));
        this.clock = clock;
    }

    @GetMapping({VERSION + CHECKPOINT, VERSION + "/namespaces/{namespace}" + CHECKPOINT})
    void checkpoint(HttpServletRequest request, HttpServletResponse response) throws IOException {
        cipher.requireDerivation(); // a signature of another key cannot be verified
        String namespace = ApiPath.of(request).orElseThrow().namespace();
        LedgerCheckpoint checkpoint =
                LedgerCheckpoint.sign(
                        namespace,
                        ledgers.heads(namespace),
                        clock.instant(),
                        key.publicKey(),
                        key::sign);
        Responses.bytes(
                response, 200, TEXT, checkpoint.note().note().getBytes(StandardCharsets.UTF_8));
    }
}
