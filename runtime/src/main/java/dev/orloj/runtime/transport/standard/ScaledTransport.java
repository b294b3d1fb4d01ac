package dev.orloj.runtime.transport.standard;

import dev.orloj.runtime.scale.WorkloadScaler;
import dev.orloj.runtime.transport.OutgoingRequest;
import dev.orloj.runtime.transport.ProtocolRevision;
import dev.orloj.runtime.transport.RequestDeadline;
import dev.orloj.runtime.transport.Transport;
import dev.orloj.runtime.transport.TransportException;
import dev.orloj.runtime.transport.TransportListener;
import dev.orloj.runtime.transport.TransportStats;
import dev.orloj.runtime.workload.WorkloadException;

import org.jspecify.annotations.Nullable;

import tools.jackson.databind.JsonNode;

import java.security.cert.X509Certificate;
import java.util.Optional;
import java.util.function.Predicate;

/** A connection over HTTP, during which what runs the server is not scaled to zero. */
final class ScaledTransport implements Transport {

    /** Makes sure that the server runs, and waits until it accepts connections. */
    @FunctionalInterface
    interface Start {

        /**
         * @throws WorkloadException when the server does not start
         */
        WorkloadScaler.Hold hold() throws InterruptedException;
    }

    private final Transport connection;
    private final Start start;
    private volatile WorkloadScaler.@Nullable Hold hold;

    ScaledTransport(Transport connection, Start start) {
        this.connection = connection;
        this.start = start;
    }

    @Override
    public void open(TransportListener listener) throws InterruptedException {
        try {
            hold = start.hold();
        } catch (WorkloadException e) {
            throw new TransportException(String.valueOf(e.getMessage()), false, e);
        }
        connection.open(listener);
    }

    @Override
    public JsonNode request(OutgoingRequest request, RequestDeadline deadline)
            throws InterruptedException {
        return connection.request(request, deadline);
    }

    @Override
    public void notify(String method, @Nullable JsonNode params) {
        connection.notify(method, params);
    }

    @Override
    public void negotiated(ProtocolRevision revision) {
        connection.negotiated(revision);
    }

    @Override
    public boolean isOpen() {
        return connection.isOpen();
    }

    @Override
    public Optional<Long> pid() {
        return connection.pid();
    }

    @Override
    public Optional<X509Certificate> certificate() {
        return connection.certificate();
    }

    @Override
    public void requireCertificate(Predicate<X509Certificate> accepted) {
        connection.requireCertificate(accepted);
    }

    @Override
    public TransportStats stats() {
        return connection.stats();
    }

    @Override
    public void close() {
        try {
            connection.close();
        } finally {
            WorkloadScaler.Hold held = hold;
            if (held != null) {
                held.close();
            }
        }
    }
}
