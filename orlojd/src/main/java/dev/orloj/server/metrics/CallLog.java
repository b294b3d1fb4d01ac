package dev.orloj.server.metrics;

import dev.orloj.runtime.observation.CallObserver;
import dev.orloj.runtime.observation.CallRecord;

import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Logs calls at level DEBUG, with the id that {@code orlojctl trace} accepts. Thread-safe. */
public final class CallLog implements CallObserver {

    private static final Logger log = LoggerFactory.getLogger(CallLog.class);

    @Override
    public void called(CallRecord call) {
        log.atDebug()
                .addKeyValue("callId", call.id())
                .addKeyValue("tool", call.tool())
                .addKeyValue("caller", call.caller())
                .addKeyValue("outcome", call.outcome())
                .addKeyValue("millis", call.duration().toMillis())
                .log("Tool call ended");
    }
}
