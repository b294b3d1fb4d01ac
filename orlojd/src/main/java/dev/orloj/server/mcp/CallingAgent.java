package dev.orloj.server.mcp;

import dev.orloj.runtime.session.ProgressListener;
import dev.orloj.runtime.session.RequestingClient;

/**
 * What an agent is to others while its request goes on.
 *
 * @param progress hears how far it has come
 * @param client answers what a server asks back
 */
record CallingAgent(ProgressListener progress, RequestingClient client) {}
