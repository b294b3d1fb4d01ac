/** Access control of the server. */
@NullMarked
package dev.orloj.server.security;

import org.jspecify.annotations.NullMarked;
