package dev.orloj.api.codec;

import tools.jackson.core.JsonParser;
import tools.jackson.core.StreamReadConstraints;
import tools.jackson.core.StreamReadFeature;
import tools.jackson.core.TokenStreamFactory;
import tools.jackson.core.exc.StreamReadException;
import tools.jackson.core.json.JsonFactory;
import tools.jackson.databind.DeserializationFeature;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.cfg.JsonNodeFeature;
import tools.jackson.databind.deser.DeserializationContextExt;
import tools.jackson.databind.json.JsonMapper;

/**
 * The only JSON mapper. Numbers keep their exact value. Records ignore unknown properties, because
 * the {@link Schema} checks a manifest for them.
 */
public final class Json {

    /** The deepest nesting of a document: enough for schemas, too little for a stack overflow. */
    public static final int MAX_DEPTH = 200;

    /** The most digits of a number. */
    static final int MAX_DIGITS = 1_000;

    /** The longest string. */
    static final int MAX_STRING = 64 * 1024 * 1024;

    public static final JsonMapper MAPPER =
            new Mapper(
                    JsonMapper.builder(
                                    JsonFactory.builder()
                                            .streamReadConstraints(
                                                    StreamReadConstraints.builder()
                                                            .maxNestingDepth(MAX_DEPTH)
                                                            .maxStringLength(MAX_STRING)
                                                            .maxNumberLength(MAX_DIGITS)
                                                            .build())
                                            // The feature refuses thousands of ordinary names.
                                            // Without it, names whose hashes collide are no longer
                                            // shared. It has no other effect.
                                            .disable(
                                                    TokenStreamFactory.Feature
                                                            .FAIL_ON_SYMBOL_HASH_OVERFLOW)
                                            .build())
                            .enable(StreamReadFeature.USE_FAST_DOUBLE_PARSER)
                            .enable(DeserializationFeature.USE_BIG_DECIMAL_FOR_FLOATS)
                            .enable(DeserializationFeature.FAIL_ON_TRAILING_TOKENS)
                            .disable(DeserializationFeature.FAIL_ON_NULL_FOR_PRIMITIVES)
                            .disable(JsonNodeFeature.STRIP_TRAILING_BIGDECIMAL_ZEROES));

    private Json() {}

    /**
     * Reports a number whose exponent no program can hold like any other unreadable input. The
     * parser throws a {@link NumberFormatException}, which its callers do not expect.
     */
    private static final class Mapper extends JsonMapper {

        private static final long serialVersionUID = 1L;

        Mapper(Builder builder) {
            super(builder);
        }

        @Override
        protected JsonNode _readTreeAndClose(DeserializationContextExt context, JsonParser parser) {
            try {
                return super._readTreeAndClose(context, parser);
            } catch (NumberFormatException e) {
                throw new StreamReadException(parser, "Invalid numeric value", e);
            }
        }
    }
}
