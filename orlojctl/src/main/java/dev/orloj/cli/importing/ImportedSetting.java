package dev.orloj.cli.importing;

/** A variable or a header of a server. */
public sealed interface ImportedSetting {

    String name();

    /** Returns a value, which is confidential if it is named or looks like a secret. */
    static ImportedSetting of(String name, String value) {
        return Confidentiality.isSecret(name, value)
                ? new Confidential(name, value)
                : new Plain(name, value);
    }

    /** A value that is no secret. */
    record Plain(String name, String value) implements ImportedSetting {}

    /** A value that belongs into a Secret. */
    record Confidential(String name, String value) implements ImportedSetting {

        @Override
        public String toString() {
            return name + "=***";
        }
    }

    /**
     * A value that is not known here: the key of a Secret that does not exist yet.
     *
     * @param reason such as {@code the variable GITHUB_TOKEN is not set}
     */
    record Missing(String name, String reason) implements ImportedSetting {}
}
