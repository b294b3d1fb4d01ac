/**
 * What servers ask clients during a call: elicitation, sampling and roots, in sessions and in the
 * rounds of 2026-07-28.
 */
@NullMarked
package dev.orloj.server.mcp.elicitation;

import org.jspecify.annotations.NullMarked;
