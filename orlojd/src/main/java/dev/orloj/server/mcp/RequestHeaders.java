package dev.orloj.server.mcp;

import jakarta.servlet.http.HttpServletRequest;

import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;
import java.util.Base64;
import java.util.Optional;

/** The headers of MCP in a request, decoded where they may be encoded. */
record RequestHeaders(HttpServletRequest request) {

    static final String SESSION_ID = "Mcp-Session-Id";
    static final String PROTOCOL_VERSION = "MCP-Protocol-Version";
    static final String METHOD = "Mcp-Method";
    static final String NAME = "Mcp-Name";

    private static final String PARAMETER_PREFIX = "Mcp-Param-";
    private static final String ENCODED_BEGIN = "=?base64?";
    private static final String ENCODED_END = "?=";

    Optional<String> sessionId() {
        return Optional.ofNullable(request.getHeader(SESSION_ID));
    }

    Optional<String> protocolVersion() {
        return Optional.ofNullable(request.getHeader(PROTOCOL_VERSION));
    }

    Optional<String> method() {
        return Optional.ofNullable(request.getHeader(METHOD));
    }

    /**
     * @throws ProtocolError when it is not well encoded
     */
    Optional<String> name() {
        return decoded(NAME);
    }

    /**
     * @throws ProtocolError when it is not well encoded
     */
    Optional<String> parameter(String name) {
        return decoded(PARAMETER_PREFIX + name);
    }

    private Optional<String> decoded(String header) {
        return Optional.ofNullable(request.getHeader(header)).map(text -> decode(header, text));
    }

    private static String decode(String header, String text) {
        boolean isPlain = text.chars().allMatch(c -> c == '\t' || c >= ' ' && c <= '~');
        if (!isPlain) {
            throw malformed(header);
        }
        boolean isEncoded =
                text.startsWith(ENCODED_BEGIN)
                        && text.endsWith(ENCODED_END)
                        && text.length() >= ENCODED_BEGIN.length() + ENCODED_END.length();
        if (!isEncoded) {
            return text;
        }
        String base64 =
                text.substring(ENCODED_BEGIN.length(), text.length() - ENCODED_END.length());
        if (base64.length() % 4 != 0) {
            throw malformed(header); // the decoder would do without the padding
        }
        try {
            return StandardCharsets.UTF_8
                    .newDecoder()
                    .decode(ByteBuffer.wrap(Base64.getDecoder().decode(base64)))
                    .toString();
        } catch (IllegalArgumentException | CharacterCodingException e) {
            throw malformed(header);
        }
    }

    private static ProtocolError malformed(String header) {
        return ProtocolError.headerMismatch(
                "\"%s\" is neither visible ASCII nor UTF-8 in base64 between \"%s\" and \"%s\""
                        .formatted(header, ENCODED_BEGIN, ENCODED_END));
    }
}
