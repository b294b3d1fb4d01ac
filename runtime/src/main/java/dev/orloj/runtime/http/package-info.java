/** Tools that are called at an HTTP endpoint of their own, without an MCP server. */
@NullMarked
package dev.orloj.runtime.http;

import org.jspecify.annotations.NullMarked;
