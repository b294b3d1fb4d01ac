/**
 * Network policy: the host's firewall and an egress proxy keep containers from non-public
 * addresses, and a resolver restricts the addresses of endpoints.
 */
@NullMarked
package dev.orloj.runtime.network;

import org.jspecify.annotations.NullMarked;
