package dev.orloj.server.metrics;

import static org.assertj.core.api.Assertions.assertThat;

import ch.qos.logback.classic.Level;
import ch.qos.logback.classic.Logger;
import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.core.read.ListAppender;

import dev.orloj.api.ResourceKey;
import dev.orloj.runtime.examination.FindingKind;
import dev.orloj.runtime.examination.ResultDecision;
import dev.orloj.runtime.examination.ResultPolicy;
import dev.orloj.runtime.observation.CallId;
import dev.orloj.runtime.observation.CallObservation;
import dev.orloj.runtime.observation.CallObserver;
import dev.orloj.runtime.observation.CallRecord;

import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.slf4j.LoggerFactory;

import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicLong;

/** What a server with many findings in its results writes to the log. */
class CallLogTest {

    private final AtomicLong nanos = new AtomicLong();
    private final CallLog calls = new CallLog(nanos::get);
    private final Logger logger = (Logger) LoggerFactory.getLogger(CallLog.class);
    private final ListAppender<ILoggingEvent> logged = new ListAppender<>();

    @BeforeEach
    void listen() {
        logged.start();
        logger.addAppender(logged);
    }

    @AfterEach
    void stop() {
        logger.detachAppender(logged);
    }

    private void call() {
        calls.called(
                new CallRecord(
                        "ada",
                        new ResourceKey("default", "srv--a"),
                        Optional.of(new ResourceKey("default", "srv")),
                        Instant.EPOCH,
                        Duration.ZERO,
                        "Completed",
                        CallId.NONE,
                        new CallObservation(CallObserver.NONE).end(),
                        Optional.of(
                                new ResultDecision(
                                        ResultPolicy.STRIP,
                                        ResultPolicy.STRIP,
                                        List.of(
                                                new ResultDecision.Finding(
                                                        FindingKind.SECRET,
                                                        1,
                                                        "/content/0/text"))))));
    }

    private List<String> leftOut() {
        return logged.list.stream()
                .filter(event -> event.getLevel() == Level.WARN)
                .flatMap(event -> event.getKeyValuePairs().stream())
                .filter(pair -> pair.key.equals("leftOut"))
                .map(pair -> String.valueOf(pair.value))
                .toList();
    }

    @Test
    void findingsAreOneLineInTenSecondsThatSaysHowManyWereLeftOut() {
        for (int i = 0; i < 1_000; i++) {
            call();
        }
        assertThat(leftOut()).containsExactly("0");

        nanos.addAndGet(Duration.ofSeconds(10).toNanos());
        call();

        assertThat(leftOut()).containsExactly("0", "999");
    }
}
