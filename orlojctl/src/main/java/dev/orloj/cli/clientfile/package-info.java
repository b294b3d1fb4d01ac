/**
 * Configuration files of MCP clients: where they are, how they are written, and how to edit them.
 */
@NullMarked
package dev.orloj.cli.clientfile;

import org.jspecify.annotations.NullMarked;
