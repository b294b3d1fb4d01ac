package dev.orloj.api;

/**
 * A recommendation about a resource that is valid but uses something discouraged.
 *
 * @param reason one word, as in conditions and events
 * @param message for people: the field, the consequence, and a better choice
 */
public record Advice(String reason, String message) {}
