package dev.orloj.cli.importing;

/** What becomes of secrets that stand in a file. */
public enum SecretPolicy {
    /** Values go into a Secret. */
    CREATE,
    /** Values stay in the McpServer, where all who may read it see them. */
    INLINE,
    /** Entries with secrets are not imported. */
    FAIL
}
