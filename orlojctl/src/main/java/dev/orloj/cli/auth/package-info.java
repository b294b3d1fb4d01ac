/** Logs in at the authorization servers of McpServers. */
@NullMarked
package dev.orloj.cli.auth;

import org.jspecify.annotations.NullMarked;
