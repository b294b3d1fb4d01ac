/** MCP extensions, which clients and servers declare and orlojd forwards. */
@NullMarked
package dev.orloj.runtime.extension;

import org.jspecify.annotations.NullMarked;
