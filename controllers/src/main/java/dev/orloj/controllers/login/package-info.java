/** The logins of users at the authorization servers of MCP servers, which Secrets hold. */
@NullMarked
package dev.orloj.controllers.login;

import org.jspecify.annotations.NullMarked;
