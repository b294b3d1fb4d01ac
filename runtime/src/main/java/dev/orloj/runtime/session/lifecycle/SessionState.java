package dev.orloj.runtime.session.lifecycle;

import dev.orloj.runtime.client.ServerIdentity;

import java.time.Instant;

/**
 * Life of one session. States are immutable; each offers only the transitions it allows.
 *
 * <pre>
 *   Connecting ──► Ready ──► Draining ──► Closed
 *        │           │           │          ▲
 *        └───────────┴───────────┴─► Failed ┘
 * </pre>
 */
public sealed interface SessionState {

    /** The names of the states. */
    enum Name {
        CONNECTING("Connecting"),
        READY("Ready"),
        DRAINING("Draining"),
        FAILED("Failed"),
        CLOSED("Closed");

        private final String text;

        Name(String text) {
            this.text = text;
        }

        /** Returns the name in messages and in the REST API. */
        public String text() {
            return text;
        }

        /** Returns whether a session in this state has ended, by itself or not. */
        public boolean isOver() {
            return switch (this) {
                case CONNECTING, READY, DRAINING -> false;
                case FAILED, CLOSED -> true;
            };
        }
    }

    /** Returns the name of the state. */
    default Name name() {
        return switch (this) {
            case Connecting _ -> Name.CONNECTING;
            case Ready _ -> Name.READY;
            case Draining _ -> Name.DRAINING;
            case Failed _ -> Name.FAILED;
            case Closed _ -> Name.CLOSED;
        };
    }

    /** Returns the name of the state for messages. */
    default String label() {
        return name().text();
    }

    /** The transport is opening, and the server has not answered {@code initialize} yet. */
    record Connecting() implements SessionState {

        public Ready ready(ServerIdentity identity) {
            return new Ready(identity);
        }

        public Failed failed(String cause) {
            return new Failed(cause);
        }
    }

    /** Accepts requests. */
    record Ready(ServerIdentity identity) implements SessionState {

        public Draining drain(String reason, Instant until) {
            return new Draining(reason, until);
        }

        public Failed failed(String cause) {
            return new Failed(cause);
        }
    }

    /** Refuses new requests; requests in flight may finish until the deadline. */
    record Draining(String reason, Instant until) implements SessionState {

        public Closed closed() {
            return new Closed(reason, false);
        }

        public Failed failed(String cause) {
            return new Failed(cause);
        }
    }

    /** The connection is lost; its remains are being cleaned up. */
    record Failed(String cause) implements SessionState {

        public Closed closed() {
            return new Closed(cause, true);
        }
    }

    /** Terminal state: nothing is left. */
    record Closed(String cause, boolean failure) implements SessionState {}
}
