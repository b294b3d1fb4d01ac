package dev.orloj.controllers.login;

import dev.orloj.runtime.oauth.OAuthSettings;

import java.net.URI;

/**
 * Where a user logs in for an MCP server.
 *
 * @param endpoint of the MCP server
 * @param settings of the manifest, with secrets resolved
 */
public record LoginTarget(URI endpoint, OAuthSettings settings) {}
