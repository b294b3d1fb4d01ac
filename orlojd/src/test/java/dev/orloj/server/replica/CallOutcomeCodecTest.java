package dev.orloj.server.replica;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.orloj.api.FieldError;
import dev.orloj.api.FieldPath;
import dev.orloj.api.ResourceKey;
import dev.orloj.api.codec.Json;
import dev.orloj.runtime.call.CallOutcome;
import dev.orloj.runtime.catalog.Refusal;
import dev.orloj.runtime.jsonrpc.JsonRpcError;
import dev.orloj.runtime.limit.Limit;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

import tools.jackson.databind.node.ObjectNode;

import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.stream.Collectors;
import java.util.stream.Stream;

class CallOutcomeCodecTest {

    private static final ResourceKey KEY = new ResourceKey("default", "one");

    static Stream<CallOutcome> outcomes() {
        return Stream.of(
                new CallOutcome.Completed(
                        Json.MAPPER.readTree("{\"content\": [], \"n\": 1.10, \"big\": 1e400}")),
                new CallOutcome.InputRequired(
                        KEY,
                        (ObjectNode)
                                Json.MAPPER.readTree(
                                        "{\"resultType\": \"input_required\", \"n\": 1.10}")),
                new CallOutcome.ToolNotFound(KEY),
                new CallOutcome.ToolNotCallable(KEY, "it sleeps"),
                new CallOutcome.ServerRefused(
                        Optional.of(new ResourceKey(KEY.namespace(), "tool")),
                        new Refusal(KEY, "was not accepted (Why)", "because")),
                new CallOutcome.ServerRefused(Optional.empty(), Refusal.absent(KEY)),
                new CallOutcome.DefinitionHeld(KEY, "changed: text"),
                new CallOutcome.UserNotAuthorized(
                        new Refusal(KEY, "the token of the user has expired", "")),
                new CallOutcome.UserNotAuthorized(
                        new Refusal(KEY, "the metadata cannot be used", "https://host")),
                new CallOutcome.InvalidArguments(
                        KEY,
                        List.of(
                                FieldError.required(FieldPath.of("arguments").index(0), "say so"),
                                FieldError.invalid(
                                        FieldPath.of("arguments").key("a.b"), 7, "less"))),
                new CallOutcome.ServerUnavailable(KEY, "gone", true),
                new CallOutcome.ServerUnavailable(KEY, "gone", false),
                new CallOutcome.ServerUnavailable(
                        new Refusal(KEY, "is unavailable: it is a singleton", ""), false),
                new CallOutcome.ServerError(KEY, new JsonRpcError(-32001, "no", null)),
                new CallOutcome.ServerError(
                        KEY, new JsonRpcError(-32001, "no", Json.MAPPER.readTree("[null]"))),
                new CallOutcome.TimedOut(KEY, Duration.ofMillis(1_500), true),
                new CallOutcome.Refused(
                        KEY, Limit.RATE_LIMIT, "too often", Duration.ofNanos(1_000_001)),
                new CallOutcome.Refused(
                        new Refusal(KEY, "it is open", "gone"),
                        Limit.CIRCUIT_BREAKER,
                        Duration.ofSeconds(1)),
                new CallOutcome.Cancelled());
    }

    @ParameterizedTest
    @MethodSource("outcomes")
    void outcomeComesBackAsItWas(CallOutcome outcome) {
        String sent = CallOutcomeCodec.encode(outcome).toString();

        assertThat(decode(sent)).isEqualTo(outcome);
    }

    @Test
    void noKindOfOutcomeIsLeftOut() {
        assertThat(outcomes().map(Object::getClass).collect(Collectors.toSet()))
                .containsExactlyInAnyOrderElementsOf(kinds(CallOutcome.class).toList());
    }

    private static Stream<Class<?>> kinds(Class<?> type) {
        return type.isSealed()
                ? Stream.of(type.getPermittedSubclasses()).flatMap(CallOutcomeCodecTest::kinds)
                : Stream.of(type);
    }

    private static CallOutcome decode(String sent) {
        return CallOutcomeCodec.decode(Json.MAPPER.readTree(sent), KEY);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "{\"type\": \"serverAsleep\", \"namespace\": \"a\", \"name\": \"b\"%s}",
                "{\"type\": \"serverAsleep\", \"why\": \"https://host\"%s}",
                "{\"type\": \"refused\", \"limit\": \"serverAsleep\"%s}"
            })
    void outcomeOfANewerVersionIsAnUnavailableServer(String outcome) {
        Refusal refusal =
                new Refusal(
                        KEY,
                        "is unavailable: another replica, which is a newer orlojd, answered with"
                                + " \"serverAsleep\", which this one does not know; this ends when"
                                + " all replicas are upgraded",
                        "");

        assertThat(decode(outcome.formatted("")))
                .as("may have been executed, as far as is known")
                .isEqualTo(new CallOutcome.ServerUnavailable(refusal, true));
        assertThat(decode(outcome.formatted(", \"delivered\": false")))
                .isEqualTo(new CallOutcome.ServerUnavailable(refusal, false));
    }

    @Test
    void longTypeOfANewerVersionIsShownInPart() {
        CallOutcome outcome = decode("{\"type\": \"%s\"}".formatted("x".repeat(1_000)));

        assertThat(((CallOutcome.ServerUnavailable) outcome).refusal().why())
                .contains("\"" + "x".repeat(64) + "...\"");
    }

    @ParameterizedTest
    @MethodSource("outcomes")
    void eachOutcomeSaysWhetherTheServerMayHaveExecutedTheRequest(CallOutcome outcome) {
        assertThat(CallOutcomeCodec.encode(outcome).path("delivered").asBoolean())
                .isEqualTo(outcome.delivered());
    }

    @Test
    void unavailableServerOfAnEarlierVersionKeepsItsCauseForUsersWhoMayGetIt() {
        CallOutcome outcome =
                decode(
                        "{\"type\": \"serverUnavailable\", \"namespace\": \"default\","
                                + " \"name\": \"one\", \"why\": \"gone\", \"delivered\": false}");

        assertThat(outcome).isEqualTo(new CallOutcome.ServerUnavailable(KEY, "gone", false));
    }

    @Test
    void whatIsNoOutcomeIsRefused() {
        assertThatThrownBy(() -> decode("{}")).hasMessageContaining("no outcome");
    }
}
