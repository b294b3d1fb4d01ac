/**
 * JSON-RPC 2.0 messages as raw trees: what a peer sent is never re-typed and nothing of it is lost.
 */
@NullMarked
package dev.orloj.runtime.jsonrpc;

import org.jspecify.annotations.NullMarked;
