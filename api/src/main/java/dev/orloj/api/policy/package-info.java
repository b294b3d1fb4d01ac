/** What McpServers of a namespace may run and reach: the policy, and how its patterns match. */
@NullMarked
package dev.orloj.api.policy;

import org.jspecify.annotations.NullMarked;
