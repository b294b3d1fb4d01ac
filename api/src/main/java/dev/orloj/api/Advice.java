package dev.orloj.api;

/**
 * Something in a resource that works and that one should not do.
 *
 * @param reason one word, as conditions and events have it
 * @param message for people: the field, what comes of it, and what would be better
 */
public record Advice(String reason, String message) {}
