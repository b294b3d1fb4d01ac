package dev.orloj.runtime.limit;

/** The limits that can refuse a call, with the fields and options that set them. */
public enum Limit {
    MAX_CONCURRENT_CALLS("spec.max_concurrent_calls", "MaxConcurrentCalls"),
    QUEUE_TIMEOUT("spec.queue_timeout", "QueueTimeout"),
    RATE_LIMIT("spec.rate_limit", "RateLimit"),
    CIRCUIT_BREAKER("spec.circuit_breaker", "CircuitBreaker"),

    /** Per server whose clients do not share sessions. */
    MAX_SESSIONS("spec.max_sessions", "MaxSessions"),

    /** Across all replicas. */
    SINGLETON("spec.singleton", "Singleton"),

    /** Across all servers. */
    MAX_PROCESSES("--max-processes", "MaxProcesses"),

    /** Across all servers. */
    MAX_PROCESS_MEMORY("--max-process-memory", "MaxProcessMemory");

    private final String field;
    private final String label;

    Limit(String field, String label) {
        this.field = field;
        this.label = label;
    }

    /** Returns the field of the manifest, or the command-line option of orlojd. */
    public String field() {
        return field;
    }

    /** Returns the name in CamelCase, as used in reasons and outcomes. */
    public String label() {
        return label;
    }
}
