package dev.orloj.controllers.login;

import dev.orloj.api.ResourceKey;
import dev.orloj.runtime.oauth.OAuthSettings;

import java.net.URI;

/**
 * Where a user logs in for an MCP server.
 *
 * @param endpoint of the MCP server
 * @param settings of the manifest, with secrets resolved
 * @param secret that holds the login
 */
public record LoginTarget(URI endpoint, OAuthSettings settings, ResourceKey secret) {}
