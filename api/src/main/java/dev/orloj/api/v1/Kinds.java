package dev.orloj.api.v1;

import dev.orloj.api.codec.Scheme;

import java.util.List;

/** All kinds that Orloj serves. */
public final class Kinds {

    /** Every kind, core ones first, as clients expect them. */
    public static final Scheme SCHEME =
            new Scheme(
                    List.of(
                            Namespace.DESCRIPTOR,
                            ConfigMap.DESCRIPTOR,
                            CoreSecret.DESCRIPTOR,
                            Event.DESCRIPTOR,
                            Pod.DESCRIPTOR,
                            McpServer.DESCRIPTOR,
                            Tool.DESCRIPTOR,
                            Sandbox.DESCRIPTOR,
                            Secret.DESCRIPTOR,
                            Lease.DESCRIPTOR,
                            EventsV1Event.DESCRIPTOR));

    private Kinds() {}
}
