package dev.orloj.server.rest.http;

import org.apache.catalina.connector.Request;
import org.apache.catalina.connector.Response;
import org.apache.catalina.valves.ErrorReportValve;
import org.jspecify.annotations.Nullable;

import java.io.IOException;
import java.io.UncheckedIOException;

/** Answers requests that are too malformed to reach any application. */
final class StatusErrorValve extends ErrorReportValve {

    StatusErrorValve() {
        setShowReport(false);
        setShowServerInfo(false);
    }

    @Override
    protected void report(Request request, Response response, @Nullable Throwable throwable) {
        int code = response.getStatus();
        if (code < 400 || response.getContentWritten() > 0 || !response.setErrorReported()) {
            return;
        }
        try {
            Responses.failure(response, HttpErrors.ofCode(code));
            response.finishResponse();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
