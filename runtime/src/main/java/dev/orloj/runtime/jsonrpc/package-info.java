/** JSON-RPC 2.0 messages as raw trees: received content is neither converted nor lost. */
@NullMarked
package dev.orloj.runtime.jsonrpc;

import org.jspecify.annotations.NullMarked;
