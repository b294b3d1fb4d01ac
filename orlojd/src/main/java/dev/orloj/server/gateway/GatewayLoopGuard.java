package dev.orloj.server.gateway;

import dev.orloj.api.codec.Json;
import dev.orloj.runtime.gateway.GatewayPath;
import dev.orloj.runtime.gateway.InstallationId;

import jakarta.servlet.FilterChain;
import jakarta.servlet.ServletException;
import jakarta.servlet.http.HttpFilter;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;

import tools.jackson.databind.node.ObjectNode;

import java.io.IOException;
import java.util.List;
import java.util.Optional;

/**
 * Rejects requests to the REST API that come from this installation itself, through a Tool whose
 * endpoint leads back to it, and requests that have passed too many gateways. Forwarded requests
 * carry the ids of the gateways that they passed. The MCP endpoints have their own check.
 */
final class GatewayLoopGuard extends HttpFilter {

    private static final long serialVersionUID = 1L;
    private static final int LOOP_DETECTED = 508;
    private static final String MCP = "/mcp";

    private final transient InstallationId own;

    GatewayLoopGuard(InstallationId own) {
        this.own = own;
    }

    /**
     * Carries an exception of a filter through an interface that allows only one exception type.
     */
    private static final class Carried extends Exception {

        private static final long serialVersionUID = 1L;

        Carried(Exception cause) {
            super(cause);
        }
    }

    @Override
    protected void doFilter(
            HttpServletRequest request, HttpServletResponse response, FilterChain chain)
            throws IOException, ServletException {
        String path = request.getRequestURI();
        List<String> passed =
                path.equals(MCP) || path.startsWith(MCP + "/")
                        ? List.of()
                        : GatewayPath.parse(request.getHeader(GatewayPath.HEADER));
        if (passed.isEmpty()) {
            chain.doFilter(request, response);
            return;
        }
        Optional<String> objection = own.find().flatMap(id -> GatewayPath.objection(passed, id));
        if (objection.isPresent()) {
            refuse(response, objection.get());
        } else {
            pass(passed, request, response, chain);
        }
    }

    private static void pass(
            List<String> passed,
            HttpServletRequest request,
            HttpServletResponse response,
            FilterChain chain)
            throws IOException, ServletException {
        try {
            GatewayPath.during(
                    passed,
                    () -> {
                        try {
                            chain.doFilter(request, response);
                            return true;
                        } catch (IOException | ServletException e) {
                            throw new Carried(e);
                        }
                    });
        } catch (Carried e) {
            if (e.getCause() instanceof IOException failure) {
                throw failure;
            }
            throw new ServletException(e.getCause());
        }
    }

    private static void refuse(HttpServletResponse response, String why) throws IOException {
        ObjectNode status = Json.MAPPER.createObjectNode();
        status.put("kind", "Status").put("apiVersion", "v1").putObject("metadata");
        status.put("status", "Failure").put("message", why).put("reason", "LoopDetected");
        status.put("code", LOOP_DETECTED);
        response.setStatus(LOOP_DETECTED);
        response.setContentType("application/json");
        response.getOutputStream().write(Json.MAPPER.writeValueAsBytes(status));
    }
}
