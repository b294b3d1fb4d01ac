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
 * JSON objects stored as bytes, which need a tenth of the memory of their trees. Each access to an
 * element parses it.
 */
public final class PackedObjects extends AbstractList<ObjectNode> implements RandomAccess {

    private static final ObjectWriter ASCII =
            Json.MAPPER.writer().with(JsonWriteFeature.ESCAPE_NON_ASCII);

    private final List<byte[]> texts = new ArrayList<>();
    private long bytes;

    /** Returns the packed bytes of an object. */
    public static byte[] pack(ObjectNode object) {
        try {
            return Json.MAPPER.writeValueAsBytes(object);
        } catch (JacksonException e) {
            // An unpaired surrogate, which JSON can express and UTF-8 cannot.
            return ASCII.writeValueAsBytes(object);
        }
    }

    /**
     * @param packed bytes created by {@link #pack}
     */
    public void addPacked(byte[] packed) {
        texts.add(packed);
        bytes += packed.length;
    }

    /** Returns the size of all packed objects. */
    long bytes() {
        return bytes;
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
