/** JSON Schemas of manifests, for editors, made from the schemas that the API validates with. */
@NullMarked
package dev.orloj.api.jsonschema;

import org.jspecify.annotations.NullMarked;
