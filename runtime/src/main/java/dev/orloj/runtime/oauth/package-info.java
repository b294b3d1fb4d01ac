/**
 * The OAuth client for MCP servers over HTTP: discovery of authorization servers, access tokens and
 * their renewal.
 */
@NullMarked
package dev.orloj.runtime.oauth;

import org.jspecify.annotations.NullMarked;
