package dev.orloj.api.codec;

import tools.jackson.core.StreamReadConstraints;
import tools.jackson.core.StreamReadFeature;
import tools.jackson.core.TokenStreamFactory;
import tools.jackson.core.json.JsonFactory;
import tools.jackson.databind.DeserializationFeature;
import tools.jackson.databind.cfg.JsonNodeFeature;
import tools.jackson.databind.json.JsonMapper;

/**
 * The one JSON mapper. Numbers keep their exact value. Records ignore properties they do not know:
 * that a manifest has none is the business of its {@link Schema}.
 */
public final class Json {

    /**
     * Deepest nesting that is read, of any document: enough for schemas, too little for a stack
     * overflow.
     */
    public static final int MAX_DEPTH = 200;

    public static final JsonMapper MAPPER =
            JsonMapper.builder(
                            JsonFactory.builder()
                                    .streamReadConstraints(
                                            StreamReadConstraints.builder()
                                                    .maxNestingDepth(MAX_DEPTH)
                                                    .maxStringLength(64 * 1024 * 1024)
                                                    .maxNumberLength(1_000)
                                                    .build())
                                    // Refuses thousands of ordinary names; without it, names that
                                    // collide are no longer shared, and that is all.
                                    .disable(
                                            TokenStreamFactory.Feature.FAIL_ON_SYMBOL_HASH_OVERFLOW)
                                    .build())
                    .enable(StreamReadFeature.USE_FAST_DOUBLE_PARSER)
                    .enable(DeserializationFeature.USE_BIG_DECIMAL_FOR_FLOATS)
                    .enable(DeserializationFeature.FAIL_ON_TRAILING_TOKENS)
                    .disable(DeserializationFeature.FAIL_ON_NULL_FOR_PRIMITIVES)
                    .disable(JsonNodeFeature.STRIP_TRAILING_BIGDECIMAL_ZEROES)
                    .build();

    private Json() {}
}
