package dev.orloj.benchmarks.scale;

import dev.orloj.api.codec.Json;
import dev.orloj.benchmarks.load.HttpConnection;
import dev.orloj.benchmarks.store.Documents;
import dev.orloj.benchmarks.suite.OrlojdProcess;

import java.io.IOException;
import java.nio.charset.StandardCharsets;

/** What a client does that must not become slow because there are many Tools. */
enum ClientOperation {
    FIRST_PAGE("first page of 500") {
        @Override
        void perform(Client client, long turn) throws IOException {
            client.get("?limit=" + PAGE);
        }
    },

    LATER_PAGE("page of 500 from the middle") {
        @Override
        void perform(Client client, long turn) throws IOException {
            client.get("?limit=" + PAGE + "&continue=" + client.middle());
        }
    },

    SELECTION("20 by label") {
        @Override
        void perform(Client client, long turn) throws IOException {
            long group = turn * 7_919 % client.inventory.groups();
            client.get("?labelSelector=" + Inventory.GROUP + "%3Dg" + group);
        }
    },

    RESUME("watch resumed over 100 changes") {
        @Override
        void perform(Client client, long turn) throws IOException {
            client.resume();
        }
    },

    APPLY("server-side apply of one") {
        @Override
        void perform(Client client, long turn) throws IOException {
            client.apply(Inventory.name((int) (turn * 7_919 % client.inventory.size())), turn);
        }
    };

    static final int PAGE = 500;
    static final int CHANGES = 100;

    private final String title;

    ClientOperation(String title) {
        this.title = title;
    }

    String title() {
        return title;
    }

    abstract void perform(Client client, long turn) throws IOException;

    /** A client with one connection, and what it knows. For one thread. */
    static final class Client implements AutoCloseable {

        private static final String TOOLS =
                "/apis/orloj.dev/v1/namespaces/" + Documents.NAMESPACE + "/tools";

        private final OrlojdProcess orlojd;
        private final Inventory inventory;
        private final HttpConnection connection;
        private String middle = "";
        private long resumeFrom;

        Client(OrlojdProcess orlojd, Inventory inventory) {
            this.orlojd = orlojd;
            this.inventory = inventory;
            this.connection = new HttpConnection(orlojd.url());
        }

        /** Learns where the middle is and where a watch resumes, for the present size. */
        void prepare(long stamp) throws IOException {
            resumeFrom = inventory.change(Math.min(CHANGES, inventory.size()), stamp);
            int pages = Math.max(1, inventory.size() / PAGE / 2);
            int limit = Math.min(PAGE, Math.max(1, inventory.size() / 2));
            String token = "";
            for (int i = 0; i < pages; i++) {
                String page = get("?limit=" + limit + (i == 0 ? "" : "&continue=" + token));
                token = Json.MAPPER.readTree(page).at("/metadata/continue").asString();
            }
            middle = token;
        }

        private String middle() {
            return middle;
        }

        private String get(String query) throws IOException {
            byte[] nothing = new byte[0];
            return checked(
                    "GET " + query,
                    connection.exchange(
                            connection.request("GET", TOOLS + query, "application/json", nothing)));
        }

        private void apply(String name, long turn) throws IOException {
            String body =
                    """
                    {"apiVersion":"orloj.dev/v1","kind":"Tool","metadata":{"name":"%s"},\
                    "spec":{"description":"turn %d"}}\
                    """
                            .formatted(name, turn);
            checked(
                    "PATCH " + name,
                    connection.exchange(
                            connection.request(
                                    "PATCH",
                                    TOOLS + "/" + name + "?fieldManager=bench&force=true",
                                    "application/apply-patch+yaml",
                                    body.getBytes(StandardCharsets.UTF_8))));
        }

        private void resume() throws IOException {
            int changes = Math.min(CHANGES, inventory.size());
            // With an end, as clients ask for it: who hangs up on a watch where nothing happens is
            // noticed at the next event only, and thousands of these would fill the heap.
            String path = TOOLS + "?watch=true&timeoutSeconds=1&resourceVersion=" + resumeFrom;
            try (EventCount events = EventCount.open(orlojd.url(), path)) {
                events.await(changes);
            }
        }

        private static String checked(String what, HttpConnection.Answer answer) {
            if (answer.status() != 200) {
                throw new IllegalStateException(
                        "%s: %d %s".formatted(what, answer.status(), answer.text()));
            }
            return answer.text();
        }

        @Override
        public void close() {
            connection.close();
        }
    }
}
