package dev.orloj.runtime.limit;

/** The limits that can refuse a call, by the fields and the options that set them. */
public enum Limit {
    MAX_CONCURRENT_CALLS("spec.max_concurrent_calls", "MaxConcurrentCalls"),
    QUEUE_TIMEOUT("spec.queue_timeout", "QueueTimeout"),
    RATE_LIMIT("spec.rate_limit", "RateLimit"),
    CIRCUIT_BREAKER("spec.circuit_breaker", "CircuitBreaker"),

    /** Of a server whose clients do not share sessions. */
    MAX_SESSIONS("spec.max_sessions", "MaxSessions"),

    /** Of all replicas together. */
    SINGLETON("spec.singleton", "Singleton"),

    /** Of all servers together. */
    MAX_PROCESSES("--max-processes", "MaxProcesses"),

    /** Of all servers together. */
    MAX_PROCESS_MEMORY("--max-process-memory", "MaxProcessMemory");

    private final String field;
    private final String label;

    Limit(String field, String label) {
        this.field = field;
        this.label = label;
    }

    /** As it is spelled in the manifest of a server, or on the command line of orlojd. */
    public String field() {
        return field;
    }

    /** In CamelCase, as reasons and outcomes are. */
    public String label() {
        return label;
    }
}
