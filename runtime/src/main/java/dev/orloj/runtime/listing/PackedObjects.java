package dev.orloj.runtime.listing;

import dev.orloj.api.codec.Json;

import tools.jackson.core.JacksonException;
import tools.jackson.core.json.JsonWriteFeature;
import tools.jackson.databind.ObjectWriter;
import tools.jackson.databind.node.ObjectNode;

import java.util.AbstractList;
import java.util.ArrayList;
import java.util.List;
import java.util.RandomAccess;

/**
 * JSON objects as the bytes that they were received in, a tenth of what their trees take. An
 * element is parsed each time that it is asked for.
 */
public final class PackedObjects extends AbstractList<ObjectNode> implements RandomAccess {

    private static final ObjectWriter ASCII =
            Json.MAPPER.writer().with(JsonWriteFeature.ESCAPE_NON_ASCII);

    private final List<byte[]> texts = new ArrayList<>();

    /** The bytes of an object as it would be packed. */
    public static byte[] pack(ObjectNode object) {
        try {
            return Json.MAPPER.writeValueAsBytes(object);
        } catch (JacksonException e) {
            // Half of a surrogate pair, which UTF-8 cannot express and JSON can.
            return ASCII.writeValueAsBytes(object);
        }
    }

    /**
     * @param packed made by {@link #pack}
     */
    public void addPacked(byte[] packed) {
        texts.add(packed);
    }

    /** How many bytes an element has. */
    public int length(int index) {
        return texts.get(index).length;
    }

    @Override
    public ObjectNode get(int index) {
        return (ObjectNode) Json.MAPPER.readTree(texts.get(index));
    }

    @Override
    public int size() {
        return texts.size();
    }
}
