/**
 * The MCP client over any transport: version negotiation, requests, and messages from the server.
 */
@NullMarked
package dev.orloj.runtime.client;

import org.jspecify.annotations.NullMarked;
