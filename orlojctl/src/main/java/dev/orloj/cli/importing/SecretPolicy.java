package dev.orloj.cli.importing;

/** What becomes of secrets that stand in a file. */
public enum SecretPolicy {
    /** Values go into a Secret. */
    CREATE,
    /** Values stay in the McpServer, where everybody who may read it reads them. */
    INLINE,
    /** Entries with secrets are not imported. */
    FAIL
}
