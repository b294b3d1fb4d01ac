package dev.orloj.controllers.policy;

import dev.orloj.api.policy.Engine;

/**
 * The engine that a policy requires.
 *
 * @param policy its name
 * @param engine never {@link Engine#AUTO}
 */
public record RequiredEngine(String policy, Engine engine) {}
