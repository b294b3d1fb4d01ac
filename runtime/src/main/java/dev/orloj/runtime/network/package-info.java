/**
 * What keeps containers from what is near: rules of the host's firewall, and a proxy; and which
 * addresses endpoints may lead to.
 */
@NullMarked
package dev.orloj.runtime.network;

import org.jspecify.annotations.NullMarked;
