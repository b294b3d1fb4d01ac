package dev.orloj.runtime.catalog;

import dev.orloj.runtime.limit.CallPermits;
import dev.orloj.runtime.session.definition.ServerDefinition;

/**
 * A server whose tools can be called.
 *
 * @param permits grants permits for calls of the server
 */
public record ServerEntry(ServerDefinition definition, CallPermits permits) {}
