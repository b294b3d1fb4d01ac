package dev.orloj.runtime.limit;

/** The limits that can refuse a call, by the fields that set them. */
public enum Limit {
    MAX_CONCURRENT_CALLS("max_concurrent_calls", "MaxConcurrentCalls"),
    QUEUE_TIMEOUT("queue_timeout", "QueueTimeout"),
    RATE_LIMIT("rate_limit", "RateLimit"),
    CIRCUIT_BREAKER("circuit_breaker", "CircuitBreaker");

    private final String field;
    private final String label;

    Limit(String field, String label) {
        this.field = field;
        this.label = label;
    }

    /** As it is spelled in the spec of a server. */
    public String field() {
        return field;
    }

    /** In CamelCase, as reasons and outcomes are. */
    public String label() {
        return label;
    }
}
