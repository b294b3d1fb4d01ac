package dev.orloj.benchmarks.call;

import tools.jackson.databind.JsonNode;

import java.io.Closeable;
import java.io.IOException;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeoutException;

/** The least with which an echo server can be called by many threads at once. */
interface EchoClient extends Closeable {

    /** Calls a tool, and returns its result. */
    JsonNode call(String tool, JsonNode arguments)
            throws IOException, InterruptedException, ExecutionException, TimeoutException;
}
