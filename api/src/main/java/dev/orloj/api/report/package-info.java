/** The report card of an MCP server: what its checks found. */
@NullMarked
package dev.orloj.api.report;

import org.jspecify.annotations.NullMarked;
