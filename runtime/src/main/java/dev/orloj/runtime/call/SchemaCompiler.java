package dev.orloj.runtime.call;

import com.networknt.schema.AbsoluteIri;
import com.networknt.schema.ExecutionContext;
import com.networknt.schema.Schema;
import com.networknt.schema.SchemaException;
import com.networknt.schema.SchemaLocation;
import com.networknt.schema.SchemaRegistry;
import com.networknt.schema.SchemaRegistryConfig;
import com.networknt.schema.SpecificationVersion;

import tools.jackson.databind.JsonNode;

import java.util.Locale;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentMap;
import java.util.concurrent.atomic.AtomicBoolean;

/**
 * Compiles input schemas. The dialect is that of {@code $schema}, or 2020-12 without one (MCP
 * 2025-11-25, "JSON Schema"). Nothing is ever fetched: references must point into the schema itself
 * or to the meta-schemas, which the library contains. Formats are not asserted: the dialects leave
 * this open, and to refuse a value that the server accepts is worse than to forward one that it
 * refuses.
 */
final class SchemaCompiler {

    private final SchemaRegistry registry =
            SchemaRegistry.withDefaultDialect(
                    SpecificationVersion.DRAFT_2020_12,
                    builder ->
                            builder.schemaRegistryConfig(config())
                                    .schemaCacheEnabled(false)
                                    .schemaLoader(
                                            loader -> loader.allow(SchemaCompiler::isMetaSchema)));

    private final ConcurrentMap<String, Schema> metaSchemas = new ConcurrentHashMap<>();

    private static SchemaRegistryConfig config() {
        return SchemaRegistryConfig.builder()
                .formatAssertionsEnabled(false)
                .losslessNarrowing(true)
                .locale(Locale.ROOT)
                .regularExpressionFactory(BoundedRegex::compile)
                .build();
    }

    private static boolean isMetaSchema(AbsoluteIri iri) {
        String text = iri.toString();
        return text.startsWith("https://json-schema.org/")
                || text.startsWith("http://json-schema.org/");
    }

    /**
     * @throws SchemaException when it is not a valid schema of its dialect, or the dialect is
     *     unknown
     */
    InputSchema.Compiled compile(JsonNode source) {
        if (!source.isObject()) {
            throw new SchemaException("An input schema must be an object");
        }
        if (ExtremeNumbers.in(source)) {
            throw new SchemaException("It has a number of extreme size");
        }
        Schema schema = registry.getSchema(source);
        String dialect = schema.getSchemaContext().getDialect().getId();
        InputSchema.Compiled meta =
                new InputSchema.Compiled(
                        source,
                        metaSchemas.computeIfAbsent(dialect, this::metaSchema),
                        new AtomicBoolean());
        ExecutionContext check = meta.validate(source);
        if (!check.getErrors().isEmpty()) {
            throw new SchemaException(check.getErrors().getFirst().toString());
        }
        return new InputSchema.Compiled(source, schema, new AtomicBoolean());
    }

    private Schema metaSchema(String dialect) {
        return registry.getSchema(SchemaLocation.of(dialect));
    }
}
