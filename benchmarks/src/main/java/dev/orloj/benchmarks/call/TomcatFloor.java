package dev.orloj.benchmarks.call;

import dev.orloj.api.codec.Json;
import dev.orloj.benchmarks.suite.MeasuredProcess;
import dev.orloj.benchmarks.suite.Workplace;

import jakarta.servlet.http.HttpServlet;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;

import org.apache.catalina.Context;
import org.apache.catalina.LifecycleException;
import org.apache.catalina.connector.Connector;
import org.apache.catalina.startup.Tomcat;
import org.apache.coyote.http11.AbstractHttp11Protocol;
import org.apache.tomcat.util.threads.VirtualThreadExecutor;

import tools.jackson.databind.JsonNode;

import java.io.IOException;
import java.io.OutputStream;
import java.io.Serial;
import java.net.URI;
import java.nio.file.Files;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeoutException;
import java.util.regex.Pattern;

/**
 * The least that a tool call over HTTP can cost with the parts that orlojd is made of: Tomcat,
 * virtual threads and a servlet that parses the body, writes to the child's pipe, waits for the
 * answer with its id and sends the result; or asks a server over HTTP with a pooled client. No
 * resources, no sessions, no checks, no other paths.
 */
public final class TomcatFloor {

    private static final Pattern READY = Pattern.compile("floor is ready url=(http://[\\w.:]+)");

    private static final String OVER_HTTP = "--http";

    private TomcatFloor() {}

    /**
     * Starts it in a JVM of its own, with an echo server as its child; returns when it is ready.
     */
    public static MeasuredProcess start(Workplace workplace)
            throws IOException, InterruptedException {
        return start(workplace, EchoServer.command());
    }

    /** Starts it in a JVM of its own, before a server over HTTP. */
    static MeasuredProcess start(Workplace workplace, URI server)
            throws IOException, InterruptedException {
        return start(workplace, List.of(OVER_HTTP, server.toString()));
    }

    private static MeasuredProcess start(Workplace workplace, List<String> args)
            throws IOException, InterruptedException {
        return MeasuredProcess.start(
                MeasuredProcess.command(workplace.jvmFlags(), TomcatFloor.class.getName(), args),
                Map.of(),
                workplace.folder(),
                READY);
    }

    /**
     * Serves until its input ends.
     *
     * @param args {@link #OVER_HTTP} and the URL of the MCP server, or the command that starts it
     */
    public static void main(String[] args) throws IOException, LifecycleException {
        try (EchoClient echo = connect(List.of(args))) {
            Tomcat tomcat = new Tomcat();
            tomcat.setBaseDir(Files.createTempDirectory("floor").toString());
            tomcat.setConnector(connector());
            Context context = tomcat.addContext("", null);
            Tomcat.addServlet(context, "call", new CallServlet(echo));
            context.addServletMappingDecoded("/*", "call");
            tomcat.start();
            System.out.println(
                    "floor is ready url=http://127.0.0.1:" + tomcat.getConnector().getLocalPort());
            System.in.transferTo(OutputStream.nullOutputStream());
            tomcat.stop();
        }
    }

    private static EchoClient connect(List<String> args) throws IOException {
        return args.getFirst().equals(OVER_HTTP)
                ? new HttpEchoClient(URI.create(args.getLast()))
                : PipeClient.start(args);
    }

    private static Connector connector() {
        Connector connector = new Connector("HTTP/1.1");
        connector.setPort(0);
        connector.setProperty("address", "127.0.0.1");
        if (connector.getProtocolHandler() instanceof AbstractHttp11Protocol<?> protocol) {
            protocol.setExecutor(new VirtualThreadExecutor("floor-"));
            protocol.setMaxKeepAliveRequests(-1);
        }
        return connector;
    }

    /** {@code {"arguments": {...}}} in, the result of the tool out. */
    private static final class CallServlet extends HttpServlet {

        @Serial private static final long serialVersionUID = 1L;

        private final transient EchoClient echo;

        CallServlet(EchoClient echo) {
            this.echo = echo;
        }

        @Override
        protected void doPost(HttpServletRequest request, HttpServletResponse response)
                throws IOException {
            byte[] bytes = request.getInputStream().readNBytes(request.getContentLength());
            JsonNode body = Json.MAPPER.readTree(bytes);
            try {
                JsonNode result = echo.call("echo", body.path("arguments"));
                byte[] answer = Json.MAPPER.writeValueAsBytes(result);
                response.setContentType("application/json");
                response.setContentLength(answer.length);
                response.getOutputStream().write(answer);
            } catch (ExecutionException | TimeoutException e) {
                throw new IOException(e);
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
                throw new IOException(e);
            }
        }
    }
}
