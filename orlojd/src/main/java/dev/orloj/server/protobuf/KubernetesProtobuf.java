package dev.orloj.server.protobuf;

import dev.orloj.api.ApiException;
import dev.orloj.api.ErrorReason;
import dev.orloj.api.codec.Document;
import dev.orloj.api.codec.Json;

import tools.jackson.databind.node.ObjectNode;

import java.util.Arrays;
import java.util.List;
import java.util.Map;

/**
 * Reads objects in the protobuf encoding of Kubernetes: an envelope that names the kind, around a
 * message of that kind. Clients send the built-in kinds in it; custom kinds have no protobuf
 * encoding.
 */
public final class KubernetesProtobuf {

    public static final String MEDIA_TYPE = "application/vnd.kubernetes.protobuf";

    private static final byte[] MAGIC = {'k', '8', 's', 0};

    private KubernetesProtobuf() {}

    /**
     * Converts the object to JSON.
     *
     * @throws ApiException (BadRequest) with the position of the malformed bytes,
     *     (UnsupportedMediaType) for a kind without a protobuf encoding
     */
    public static Document read(byte[] body) {
        try {
            if (!Arrays.equals(MAGIC, 0, 4, body, 0, Math.min(4, body.length))) {
                throw new MalformedProtobufException(0, "the prefix \"k8s\\0\" is missing");
            }
            return new Document(Envelope.read(body).open(), List.of(), Map.of());
        } catch (MalformedProtobufException e) {
            throw ApiException.badRequest(
                    "the body of the request is no Kubernetes protobuf that can be read: "
                            + e.getMessage());
        }
    }

    /** The envelope around the message. */
    private record Envelope(String apiVersion, String kind, String encoding, WireReader content) {

        static Envelope read(byte[] body) {
            WireReader in = new WireReader(body, MAGIC.length, body.length);
            ObjectNode type = Json.MAPPER.createObjectNode();
            String encoding = "";
            WireReader content = new WireReader(body, body.length, body.length);
            while (in.hasMore()) {
                WireReader.Tag tag = in.readTag();
                switch (tag.field()) {
                    case 1 -> MessageDecoder.decode(TYPE_META, in.readPart(), type);
                    case 2 -> content = in.readPart();
                    case 3, 4 -> {
                        String said = in.readPart().text();
                        encoding = said.isEmpty() ? encoding : said;
                    }
                    default -> in.skip(tag.type());
                }
            }
            return new Envelope(
                    type.path("apiVersion").asString(""),
                    type.path("kind").asString(""),
                    encoding,
                    content);
        }

        ObjectNode open() {
            MessageType message =
                    KubernetesMessages.find(apiVersion, kind)
                            .orElseThrow(
                                    () ->
                                            unsupported(
                                                    "%s %s has no protobuf form"
                                                            .formatted(apiVersion, kind)));
            if (!encoding.isEmpty() && !encoding.equals(MEDIA_TYPE)) {
                throw unsupported("content inside protobuf is not understood as " + encoding);
            }
            ObjectNode object = Json.MAPPER.createObjectNode();
            object.put("apiVersion", apiVersion).put("kind", kind);
            MessageDecoder.decode(message, content, object);
            return object;
        }
    }

    private static final MessageType TYPE_META =
            MessageType.EMPTY
                    .with(1, "apiVersion", ProtobufFieldType.Scalar.TEXT)
                    .with(2, "kind", ProtobufFieldType.Scalar.TEXT);

    private static ApiException unsupported(String why) {
        return new ApiException(
                ErrorReason.UNSUPPORTED_MEDIA_TYPE,
                why + " here; send it as application/json or application/yaml");
    }
}
