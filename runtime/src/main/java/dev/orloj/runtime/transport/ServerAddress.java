package dev.orloj.runtime.transport;

import dev.orloj.api.Frozen;
import dev.orloj.api.pod.PodTemplate;
import dev.orloj.runtime.container.spec.ContainerSpec;
import dev.orloj.runtime.container.spec.ExecTarget;
import dev.orloj.runtime.container.spec.PodReuse;
import dev.orloj.runtime.oauth.OAuthSettings;
import dev.orloj.runtime.scale.ScaledServer;
import dev.orloj.runtime.subject.SubjectIdentifier;
import dev.orloj.runtime.workload.ProcessUser;

import org.jspecify.annotations.Nullable;

import java.net.URI;
import java.time.Duration;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;

/** The address of an MCP server, with resolved secrets; {@code toString} shows none of them. */
public sealed interface ServerAddress {

    /** Returns the account of this host that the program runs as; empty for that of orlojd. */
    default Optional<ProcessUser> user() {
        return Optional.empty();
    }

    /** Returns whether requests of users are sent on behalf of these users. */
    default boolean isPerUser() {
        return false;
    }

    /** Returns the address for the requests of this user. */
    default ServerAddress onBehalfOf(SubjectIdentifier user) {
        return this;
    }

    /** Returns what runs the server in the cluster, if orlojd scales that. */
    default Optional<ScaledServer> scaled() {
        return Optional.empty();
    }

    /** Returns the address for a session that starts the server anew, even if it runs already. */
    default ServerAddress startedAnew() {
        return this;
    }

    /**
     * A program on this host that speaks over its standard streams.
     *
     * @param command the program, looked up on the PATH of the child, and its arguments
     * @param env added to the few harmless variables that every child gets
     * @param shutdownGrace the wait after stdin is closed, and again after SIGTERM
     * @param user the account that it runs as; empty for that of orlojd
     */
    record Stdio(
            List<String> command,
            Map<String, String> env,
            Duration shutdownGrace,
            Optional<ProcessUser> user)
            implements ServerAddress {

        /** Creates the address of a program that runs as the user of orlojd. */
        public Stdio(List<String> command, Map<String, String> env, Duration shutdownGrace) {
            this(command, env, shutdownGrace, Optional.empty());
        }

        public Stdio {
            command = List.copyOf(command);
            env = Frozen.map(env);
            if (command.isEmpty() || command.getFirst().isBlank()) {
                throw new IllegalArgumentException("A stdio server needs a command");
            }
            if (shutdownGrace.isNegative()) {
                throw new IllegalArgumentException(
                        "Shutdown grace must not be negative: " + shutdownGrace);
            }
        }

        /** Arguments may carry secrets too, so only the program is shown. */
        @Override
        public String toString() {
            return "Stdio[program=" + command.getFirst() + ", env=" + names(env) + "]";
        }
    }

    /**
     * A container whose main program speaks over its standard streams.
     *
     * @param shutdownGrace how long the program may take to end after its stdin was closed, and
     *     again after SIGTERM
     */
    record Container(ContainerSpec spec, Duration shutdownGrace) implements ServerAddress {

        public Container {
            if (shutdownGrace.isNegative()) {
                throw new IllegalArgumentException(
                        "Shutdown grace must not be negative: " + shutdownGrace);
            }
        }
    }

    /**
     * A Pod of a Kubernetes cluster whose container speaks over its standard streams.
     *
     * @param template what is added to the Pod of the container
     * @param grace the wait after stdin is closed, and again after SIGTERM
     * @param reuse whether the Pod may serve later runs of orlojd
     */
    record Pod(ContainerSpec spec, PodTemplate template, Duration grace, PodReuse reuse)
            implements ServerAddress {

        public Pod {
            if (grace.isNegative()) {
                throw new IllegalArgumentException("Shutdown grace must not be negative: " + grace);
            }
        }

        @Override
        public Pod startedAnew() {
            return new Pod(spec, template, grace, reuse.withNewPod());
        }
    }

    /**
     * A program in an existing container, which speaks over its standard streams.
     *
     * @param env added to the environment of the container
     * @param grace the wait after stdin is closed
     */
    record Exec(ExecTarget target, List<String> command, Map<String, String> env, Duration grace)
            implements ServerAddress {

        public Exec {
            command = List.copyOf(command);
            env = Frozen.map(env);
            if (command.isEmpty() || command.getFirst().isBlank()) {
                throw new IllegalArgumentException("A program in a container needs a command");
            }
        }

        /** Arguments may carry secrets too, so only the program is shown. */
        @Override
        public String toString() {
            return "Exec[target="
                    + target
                    + ", program="
                    + command.getFirst()
                    + ", env="
                    + names(env)
                    + "]";
        }
    }

    /**
     * An endpoint of the Streamable HTTP transport.
     *
     * @param headers sent with every request, credentials included
     * @param oauth how to get the access tokens that requests carry; null for none
     * @param scaled what runs the server in the cluster, if orlojd scales that
     */
    record Http(
            URI endpoint,
            Map<String, String> headers,
            @Nullable OAuthSettings oauth,
            Optional<ScaledServer> scaled)
            implements ServerAddress {

        public Http(URI endpoint, Map<String, String> headers) {
            this(endpoint, headers, null);
        }

        public Http(URI endpoint, Map<String, String> headers, @Nullable OAuthSettings oauth) {
            this(endpoint, headers, oauth, Optional.empty());
        }

        public Http {
            headers = Frozen.map(headers);
            String scheme = endpoint.getScheme();
            if (scheme == null
                    || !List.of("http", "https").contains(scheme.toLowerCase(Locale.ROOT))
                    || endpoint.getHost() == null) {
                throw new IllegalArgumentException(
                        "An HTTP server needs an absolute http or https URL with a host");
            }
        }

        @Override
        public boolean isPerUser() {
            return oauth != null && oauth.isPerUser();
        }

        @Override
        public Http onBehalfOf(SubjectIdentifier user) {
            return oauth == null
                    ? this
                    : new Http(endpoint, headers, oauth.onBehalfOf(user), scaled);
        }

        /** Queries and user info of URLs carry keys at times, so they are left out. */
        @Override
        public String toString() {
            return "Http[endpoint="
                    + endpoint.getScheme()
                    + "://"
                    + endpoint.getHost()
                    + (endpoint.getPort() < 0 ? "" : ":" + endpoint.getPort())
                    + endpoint.getPath()
                    + ", headers="
                    + names(headers)
                    + "]";
        }
    }

    /**
     * An endpoint of the HTTP+SSE transport of 2024-11-05.
     *
     * @param stream where the stream of events is opened, and what is sent with every request
     */
    record Sse(Http stream) implements ServerAddress {

        @Override
        public boolean isPerUser() {
            return stream.isPerUser();
        }

        @Override
        public Optional<ScaledServer> scaled() {
            return stream.scaled();
        }

        @Override
        public Sse onBehalfOf(SubjectIdentifier user) {
            return new Sse(stream.onBehalfOf(user));
        }
    }

    private static String names(Map<String, String> map) {
        return new TreeMap<>(map).keySet().toString();
    }
}
