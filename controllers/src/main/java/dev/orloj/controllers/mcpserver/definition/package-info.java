/** Resolves a manifest, its Secrets and its ConfigMaps to what opens a session. */
@NullMarked
package dev.orloj.controllers.mcpserver.definition;

import org.jspecify.annotations.NullMarked;
