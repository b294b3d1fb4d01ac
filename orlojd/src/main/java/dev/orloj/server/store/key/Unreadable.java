package dev.orloj.server.store.key;

import dev.orloj.api.ApiException;
import dev.orloj.api.ErrorReason;

import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

import java.util.Optional;
import java.util.function.Supplier;

/** Values that a rotation leaves as they are. */
final class Unreadable {

    private static final Logger log = LoggerFactory.getLogger(Unreadable.class);

    private Unreadable() {}

    /** Returns empty for what cannot be decrypted, which it logs. */
    static Optional<String> skip(Supplier<Optional<String>> reseal) {
        try {
            return reseal.get();
        } catch (ApiException e) {
            if (e.reason() != ErrorReason.INTERNAL_ERROR) {
                throw e;
            }
            log.atWarn().addKeyValue("error", e.getMessage()).log("A value keeps its old key");
            return Optional.empty();
        }
    }
}
