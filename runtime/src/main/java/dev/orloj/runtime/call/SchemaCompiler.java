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
 * Makes input schemas usable. The dialect is that of {@code $schema}, 2020-12 without one (MCP
 * 2025-11-25, "JSON Schema"). Nothing is ever fetched: references lead into the schema itself or to
 * the meta-schemas, which come with the library. Formats are not asserted: the dialects leave that
 * open, and refusing what the server would take is worse than passing on what it will refuse.
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
     * @throws SchemaException when it is no schema of its dialect, or of an unknown one
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
