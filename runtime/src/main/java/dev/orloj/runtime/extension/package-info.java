/** Extensions of MCP, which clients and servers declare and orlojd passes on. */
@NullMarked
package dev.orloj.runtime.extension;

import org.jspecify.annotations.NullMarked;
