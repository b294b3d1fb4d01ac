/** Responses of the resource API as YAML. */
@NullMarked
package dev.orloj.server.yaml;

import org.jspecify.annotations.NullMarked;
