package dev.orloj.controllers.mcpserver;

import dev.orloj.api.codec.Json;
import dev.orloj.runtime.jsonrpc.JsonRpcError;
import dev.orloj.runtime.jsonrpc.JsonRpcException;
import dev.orloj.runtime.scale.ServerScaling;
import dev.orloj.runtime.transport.OutgoingRequest;
import dev.orloj.runtime.transport.ProtocolRevision;
import dev.orloj.runtime.transport.RequestDeadline;
import dev.orloj.runtime.transport.ServerAddress;
import dev.orloj.runtime.transport.Transport;
import dev.orloj.runtime.transport.TransportException;
import dev.orloj.runtime.transport.TransportListener;
import dev.orloj.runtime.transport.TransportStats;
import dev.orloj.runtime.transport.Transports;
import dev.orloj.runtime.workload.LogBuffer;
import dev.orloj.runtime.workload.WorkloadException;

import org.jspecify.annotations.Nullable;

import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.ObjectNode;

import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * MCP servers that follow a script: by the first word of their command, or by their host. Safe for
 * many threads.
 */
public final class ScriptedServers implements Transports {

    private final Map<String, Script> scripts = new ConcurrentHashMap<>();

    /** What the managers that are created from now on get. */
    private volatile ServerScaling scaling = ServerScaling.NONE;

    void scaleWith(ServerScaling other) {
        scaling = other;
    }

    @Override
    public ServerScaling scaling() {
        return scaling;
    }

    /** What the servers of one name do. */
    public static final class Script {

        private volatile List<ObjectNode> tools = List.of();
        private volatile OptionalLong shownPid = OptionalLong.empty();
        private volatile @Nullable String openFailure;
        private volatile @Nullable WorkloadException startFailure;
        private volatile @Nullable String listFailure;
        private volatile @Nullable CountDownLatch hanging;
        private volatile @Nullable CountDownLatch hangingList;
        private volatile @Nullable CountDownLatch hangingCall;
        private volatile @Nullable CountDownLatch hangingClose;
        private final List<ServerAddress> opened = new CopyOnWriteArrayList<>();
        private final List<ScriptedTransport> processes = new CopyOnWriteArrayList<>();
        private final Set<ScriptedTransport> live = ConcurrentHashMap.newKeySet();
        private final AtomicInteger attempts = new AtomicInteger();
        private final List<String> requests = new CopyOnWriteArrayList<>();

        /** Tools with these names and nothing else of interest. */
        public Script offer(String... names) {
            offer(List.of(names).stream().map(Script::definition).toList());
            return this;
        }

        /** Its sessions show this pid. */
        public void runAs(long pid) {
            shownPid = OptionalLong.of(pid);
        }

        public void offer(List<ObjectNode> definitions) {
            tools = definitions;
        }

        static ObjectNode definition(String name) {
            ObjectNode definition = Json.MAPPER.createObjectNode();
            definition.put("name", name);
            definition.withObject("/inputSchema").put("type", "object");
            return definition;
        }

        /** No session opens any more, for this reason; null to let them open again. */
        public void refuseToOpen(@Nullable String why) {
            openFailure = why;
        }

        /** No session opens any more, because this kept its container from starting. */
        public void refuseToStart(WorkloadException why) {
            startFailure = why;
        }

        /** Listing tools fails from now on; null to let it succeed again. */
        public void refuseToList(@Nullable String why) {
            listFailure = why;
        }

        /** Sessions hang while they are opened, until {@link CountDownLatch#countDown}. */
        public CountDownLatch hangWhenOpened() {
            CountDownLatch latch = new CountDownLatch(1);
            hanging = latch;
            return latch;
        }

        /** Listing tools hangs, until {@link CountDownLatch#countDown}. */
        public CountDownLatch hangWhenListed() {
            CountDownLatch latch = new CountDownLatch(1);
            hangingList = latch;
            return latch;
        }

        /** Calls of tools hang from now on, until {@link CountDownLatch#countDown}. */
        public CountDownLatch hangWhenCalled() {
            CountDownLatch latch = new CountDownLatch(1);
            hangingCall = latch;
            return latch;
        }

        /** Processes do not end, until {@link CountDownLatch#countDown}. */
        public CountDownLatch hangWhenClosed() {
            CountDownLatch latch = new CountDownLatch(1);
            hangingClose = latch;
            return latch;
        }

        /** All live sessions end by themselves. */
        public void die(String cause) {
            List.copyOf(live).forEach(transport -> transport.die(cause));
        }

        public void announceChange() {
            live.forEach(
                    transport ->
                            transport
                                    .receive()
                                    .onNotification("notifications/tools/list_changed", null));
        }

        /** The process that was started last offers these tools from now on, and announces it. */
        public void changeInLatest(String... names) {
            ScriptedTransport latest = processes.getLast();
            latest.ownTools = List.of(names).stream().map(Script::definition).toList();
            latest.receive().onNotification("notifications/tools/list_changed", null);
        }

        /** The process that was started last ends by itself. */
        public void killLatest(String cause) {
            kill(processes.size() - 1, cause);
        }

        /**
         * @param number of the process, in the order of their starts
         */
        public void kill(int number, String cause) {
            processes.get(number).die(cause);
        }

        public int live() {
            return live.size();
        }

        /** The addresses of all sessions so far. */
        public List<ServerAddress> opened() {
            return opened;
        }

        /** Sessions that were to be opened, so far. */
        public int attempts() {
            return attempts.get();
        }

        public long requests(String method) {
            return requests.stream().filter(method::equals).count();
        }
    }

    public Script script(String name) {
        return scripts.computeIfAbsent(name, n -> new Script());
    }

    @Override
    public Transport create(ServerAddress address, LogBuffer stderr, String label) {
        String name =
                switch (address) {
                    case ServerAddress.Stdio stdio -> stdio.command().getFirst();
                    case ServerAddress.Container container -> container.spec().image().name();
                    case ServerAddress.Pod pod -> pod.spec().image().name();
                    case ServerAddress.Exec exec -> exec.command().getFirst();
                    case ServerAddress.Sse sse -> sse.stream().endpoint().getHost();
                    case ServerAddress.Http http -> http.endpoint().getHost();
                };
        return new ScriptedTransport(script(name), address, stderr);
    }

    private static final class ScriptedTransport implements Transport {

        private final Script script;
        private final ServerAddress address;
        private final LogBuffer stderr;
        private final AtomicBoolean open = new AtomicBoolean();
        private volatile @Nullable TransportListener listener;
        private volatile @Nullable List<ObjectNode> ownTools;

        ScriptedTransport(Script script, ServerAddress address, LogBuffer stderr) {
            this.script = script;
            this.address = address;
            this.stderr = stderr;
        }

        TransportListener receive() {
            TransportListener current = listener;
            if (current == null) {
                throw new IllegalStateException("not open");
            }
            return current;
        }

        @Override
        public void open(TransportListener consumer) throws InterruptedException {
            listener = consumer;
            script.attempts.incrementAndGet();
            String failure = script.openFailure;
            if (failure != null) {
                throw new TransportException(failure, false);
            }
            WorkloadException unstarted = script.startFailure;
            if (unstarted != null) {
                throw new TransportException(
                        String.valueOf(unstarted.getMessage()), false, unstarted);
            }
            script.opened.add(address);
            open.set(true);
            script.live.add(this);
            script.processes.add(this);
            CountDownLatch latch = script.hanging;
            if (latch != null) {
                latch.await();
            }
        }

        void die(String cause) {
            if (open.compareAndSet(true, false)) {
                script.live.remove(this);
                stderr.append("last words of " + cause);
                receive().onClosed(new TransportException(cause, false));
            }
        }

        @Override
        public JsonNode request(OutgoingRequest request, RequestDeadline deadline)
                throws InterruptedException {
            String method = request.method();
            if (!open.get()) {
                throw new TransportException("the server is gone", false);
            }
            script.requests.add(method);
            return switch (method) {
                case "initialize" ->
                        Json.MAPPER.readTree(
                                """
                                {"protocolVersion": "2025-06-18",
                                 "capabilities": {"tools": {"listChanged": true}},
                                 "serverInfo": {"name": "scripted", "version": "1.0"}}
                                """);
                case "tools/list" -> list();
                case "tools/call" -> call();
                default -> Json.MAPPER.createObjectNode();
            };
        }

        private JsonNode call() throws InterruptedException {
            CountDownLatch latch = script.hangingCall;
            if (latch != null) {
                latch.await();
            }
            return Json.MAPPER.createObjectNode();
        }

        private JsonNode list() throws InterruptedException {
            CountDownLatch latch = script.hangingList;
            if (latch != null) {
                latch.await();
            }
            String failure = script.listFailure;
            if (failure != null) {
                throw new JsonRpcException(new JsonRpcError(-32603, failure, null));
            }
            ObjectNode result = Json.MAPPER.createObjectNode();
            ArrayNode list = result.withArray("/tools");
            List<ObjectNode> own = ownTools;
            (own == null ? script.tools : own).forEach(list::add);
            return result;
        }

        @Override
        public void notify(String method, @Nullable JsonNode params) {}

        @Override
        public void negotiated(ProtocolRevision revision) {}

        @Override
        public boolean isOpen() {
            return open.get();
        }

        @Override
        public Optional<Long> pid() {
            OptionalLong pid = script.shownPid;
            return pid.isPresent() ? Optional.of(pid.getAsLong()) : Optional.empty();
        }

        @Override
        public TransportStats stats() {
            return TransportStats.NONE;
        }

        @Override
        public void close() {
            open.set(false);
            script.live.remove(this);
            CountDownLatch latch = script.hangingClose;
            while (latch != null && latch.getCount() > 0) {
                try {
                    latch.await();
                } catch (InterruptedException e) {
                    // A process that does not end is not impressed.
                }
            }
        }
    }
}
