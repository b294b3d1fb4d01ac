/** Resolves a manifest with its Secrets and ConfigMaps to a session definition. */
@NullMarked
package dev.orloj.controllers.mcpserver.definition;

import org.jspecify.annotations.NullMarked;
