/** Issues and verifies bearer tokens: those of ServiceAccounts, and those of users. */
@NullMarked
package dev.orloj.server.token;

import org.jspecify.annotations.NullMarked;
