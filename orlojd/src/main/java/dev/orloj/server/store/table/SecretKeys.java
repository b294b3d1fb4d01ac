package dev.orloj.server.store.table;

import dev.orloj.api.ApiException;

import java.util.Optional;

/** The keys that values are encrypted with. Thread-safe. */
public interface SecretKeys {

    /**
     * Returns the key for new values.
     *
     * @throws ApiException (ServiceUnavailable) when there is none that can be used
     */
    DataKey current();

    /** Finds the key of a stored value; empty when it is lost. */
    Optional<DataKey> find(String id);

    /**
     * Returns the key that others are derived from. When that of the database is lost, it is one
     * that nothing else has and that ends with this process.
     */
    DataKey derivation();

    /** Returns whether {@link #derivation} is that of the database. */
    boolean isComplete();

    /** Says why a key is not there, with the remedy. */
    String whyMissing(String id);

    /** Keys that consist of one. */
    static SecretKeys of(DataKey key) {
        return new SecretKeys() {
            @Override
            public DataKey current() {
                return key;
            }

            @Override
            public Optional<DataKey> find(String id) {
                return id.equals(key.id()) ? Optional.of(key) : Optional.empty();
            }

            @Override
            public DataKey derivation() {
                return key;
            }

            @Override
            public boolean isComplete() {
                return true;
            }

            @Override
            public String whyMissing(String id) {
                return "it was encrypted with key \"%s\" and the key in use is \"%s\": start orlojd with the key of that id"
                        .formatted(id, key.id());
            }
        };
    }
}
