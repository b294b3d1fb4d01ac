package dev.orloj.server.mcp.protocol;

import dev.orloj.runtime.transport.http.ParameterHeaders;

import tools.jackson.databind.JsonNode;

import java.math.BigDecimal;
import java.util.Optional;

/**
 * Checks the arguments that clients repeat in headers, which the tool's input schema marks with
 * {@code x-mcp-header}. With a header that differs from its argument, a proxy would act on a
 * different call than the gateway.
 */
final class HeaderParameters {

    private HeaderParameters() {}

    /**
     * @throws ProtocolError when a header is missing, or differs from its argument
     */
    static void check(ParameterHeaders mirrored, JsonNode arguments, RequestHeaders headers) {
        mirrored.values(arguments).forEach((name, argument) -> check(name, argument, headers));
    }

    private static void check(String name, JsonNode argument, RequestHeaders headers) {
        Optional<String> header = headers.parameter(name);
        if (header.isEmpty()) {
            throw ProtocolError.headerMismatch(
                    "\"Mcp-Param-%s\" is missing, and its argument is given".formatted(name));
        }
        if (!isSame(header.get(), argument)) {
            // Shows neither value: arguments may be secret.
            throw ProtocolError.headerMismatch(
                    "\"Mcp-Param-%s\" differs from its argument".formatted(name));
        }
    }

    private static boolean isSame(String header, JsonNode argument) {
        if (!argument.isNumber()) {
            return header.equals(argument.asString());
        }
        try {
            return new BigDecimal(header).compareTo(argument.decimalValue()) == 0;
        } catch (NumberFormatException e) {
            return false;
        }
    }
}
