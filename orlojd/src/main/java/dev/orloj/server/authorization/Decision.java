package dev.orloj.server.authorization;

/**
 * Whether a request is allowed.
 *
 * @param reason for people; which binding allows it, or what was missing to decide. May be empty
 */
public record Decision(boolean allowed, String reason) {}
