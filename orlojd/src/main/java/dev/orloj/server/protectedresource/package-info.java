/** Shows clients of MCP where they get a token (RFC 9728). */
@NullMarked
package dev.orloj.server.protectedresource;

import org.jspecify.annotations.NullMarked;
