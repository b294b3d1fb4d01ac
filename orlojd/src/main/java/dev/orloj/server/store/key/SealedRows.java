package dev.orloj.server.store.key;

import java.util.List;
import java.util.Map;
import java.util.function.BooleanSupplier;

/** Rows of a table with encrypted values. Thread-safe. */
public interface SealedRows {

    /** So many rows are found at a time. */
    int MAX_FOUND = 100_000;

    /**
     * Encrypts the values of these keys again, with the current one, row by row and without a new
     * version of what the rows hold. Rows whose values cannot be decrypted stay as they are.
     *
     * @param keys ids
     * @param stopped whether to return early
     * @return how many rows it changed
     */
    int reseal(List<String> keys, BooleanSupplier stopped);

    /** Counts the values by the id of their key. */
    Map<String, Long> counts();

    /** Returns the pattern of texts that contain a value of one of these keys. */
    static String pattern(List<String> keys) {
        return "orloj:v1:(" + String.join("|", keys) + "):";
    }
}
