/**
 * The MCP client: version negotiation, requests, and what a server sends back, over any transport.
 */
@NullMarked
package dev.orloj.runtime.client;

import org.jspecify.annotations.NullMarked;
