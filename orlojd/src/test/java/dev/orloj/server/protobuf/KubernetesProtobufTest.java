package dev.orloj.server.protobuf;

import static dev.orloj.server.protobuf.ProtobufBytes.envelope;
import static dev.orloj.server.protobuf.ProtobufBytes.message;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.catchThrowable;

import dev.orloj.api.ApiException;
import dev.orloj.api.ErrorReason;
import dev.orloj.api.codec.Json;

import org.junit.jupiter.api.Test;

import tools.jackson.databind.JsonNode;

import java.util.Arrays;
import java.util.Random;

class KubernetesProtobufTest {

    private static final long SEED = Long.getLong("orloj.fuzz.seed", 20_261_121);
    private static final int ROUNDS = Integer.getInteger("orloj.fuzz.rounds", 20_000);

    private static JsonNode read(String apiVersion, String kind, ProtobufBytes content) {
        return KubernetesProtobuf.read(envelope(apiVersion, kind, content)).root();
    }

    private static JsonNode json(String text) {
        return Json.MAPPER.readTree(text);
    }

    private static ProtobufBytes metadata(String name) {
        return message().with(1, name).with(2, "").with(3, "a").with(7, 0).with(8, message());
    }

    @Test
    void secretBecomesWhatItWouldBeInJson() {
        ProtobufBytes metadata =
                metadata("gh").with(11, "team", "a").with(11, "empty", "").with(14, "a.dev/b");
        ProtobufBytes entry = message().with(1, "token").with(2, new byte[] {0, (byte) 255, 'z'});

        assertThat(
                        read(
                                "v1",
                                "Secret",
                                message()
                                        .with(1, metadata)
                                        .with(2, entry)
                                        .with(3, "Opaque")
                                        .with(5, 0)))
                .isEqualTo(
                        json(
                                """
                                {"apiVersion": "v1", "kind": "Secret",
                                 "metadata": {"name": "gh", "namespace": "a",
                                  "labels": {"team": "a", "empty": ""},
                                  "finalizers": ["a.dev/b"]},
                                 "data": {"token": "AP96"}, "type": "Opaque",
                                 "immutable": false}
                                """));
    }

    @Test
    void leaseKeepsMicrosecondsAndWhatIsEmptyOnPurpose() {
        ProtobufBytes spec =
                message()
                        .with(1, "")
                        .with(2, 15)
                        .with(4, message().with(1, 1_767_225_600L).with(2, 123_456_789L))
                        .with(5, 0);

        assertThat(
                        read(
                                        "coordination.k8s.io/v1",
                                        "Lease",
                                        message().with(1, metadata("l")).with(2, spec))
                                .path("spec"))
                .isEqualTo(
                        json(
                                """
                                {"holderIdentity": "", "leaseDurationSeconds": 15,
                                 "renewTime": "2026-01-01T00:00:00.123456Z",
                                 "leaseTransitions": 0}
                                """));
    }

    @Test
    void eventsOfBothGroupsAreUnderstood() {
        ProtobufBytes about = message().with(1, "Tool").with(3, "t").with(5, "orloj.dev/v1");
        ProtobufBytes second = message().with(1, 1_767_225_600L).with(2, 5);
        JsonNode core =
                read(
                        "v1",
                        "Event",
                        message()
                                .with(2, about)
                                .with(4, "text")
                                .with(6, second)
                                .with(8, 2)
                                .with(10, message()));
        JsonNode event =
                read(
                        "events.k8s.io/v1",
                        "Event",
                        message().with(8, about).with(10, "text").with(2, second).with(15, 0));

        assertThat(core.at("/involvedObject/name").asString()).isEqualTo("t");
        assertThat(core.path("firstTimestamp").asString()).isEqualTo("2026-01-01T00:00:00Z");
        assertThat(core.path("count").asInt()).isEqualTo(2);
        assertThat(core.has("eventTime")).isFalse();
        assertThat(event.at("/regarding/apiVersion").asString()).isEqualTo("orloj.dev/v1");
        assertThat(event.path("eventTime").asString()).isEqualTo("2026-01-01T00:00:00.000000Z");
        assertThat(event.has("deprecatedCount")).isFalse();
    }

    @Test
    void managedFieldsCarryTheirJson() {
        ProtobufBytes entry =
                message()
                        .with(1, "helm")
                        .with(4, message().with(1, 1_767_225_600L))
                        .with(7, message().with(1, "{\"f:data\":{\".\":{}}}"));

        assertThat(
                        read("v1", "ConfigMap", message().with(1, metadata("c").with(17, entry)))
                                .at("/metadata/managedFields/0"))
                .isEqualTo(
                        json(
                                """
                                {"manager": "helm", "time": "2026-01-01T00:00:00Z",
                                 "fieldsV1": {"f:data": {".": {}}}}
                                """));
    }

    @Test
    void deleteOptionsAreKnownInEveryGroup() {
        ProtobufBytes options =
                message()
                        .with(1, 0)
                        .with(2, message().with(1, "u"))
                        .with(4, "Background")
                        .with(5, "All");

        assertThat(read("coordination.k8s.io/v1", "DeleteOptions", options))
                .isEqualTo(
                        json(
                                """
                                {"apiVersion": "coordination.k8s.io/v1", "kind": "DeleteOptions",
                                 "gracePeriodSeconds": 0, "preconditions": {"uid": "u"},
                                 "propagationPolicy": "Background", "dryRun": ["All"]}
                                """));
    }

    @Test
    void unknownFieldsAreSkipped() {
        ProtobufBytes content =
                message()
                        .with(99, "x")
                        .with(98, 7)
                        .raw(0x35, 1, 2, 3, 4)
                        .with(3, "Opaque")
                        .raw(0x31, 1, 2, 3, 4, 5, 6, 7, 8);

        assertThat(read("v1", "Secret", content).path("type").asString()).isEqualTo("Opaque");
    }

    @Test
    void customKindsHaveNoProtobufForm() {
        assertThatThrownBy(() -> read("orloj.dev/v1", "Tool", message()))
                .isInstanceOfSatisfying(
                        ApiException.class,
                        e -> {
                            assertThat(e.reason()).isEqualTo(ErrorReason.UNSUPPORTED_MEDIA_TYPE);
                            assertThat(e)
                                    .hasMessageContaining("orloj.dev/v1 Tool")
                                    .hasMessageContaining("application/json");
                        });
    }

    @Test
    void garbageIsRefusedWithItsPlace() {
        ProtobufBytes labels = message().with(11, message().with(1, new byte[] {(byte) 0xff}));

        assertThatThrownBy(() -> read("v1", "Secret", message().with(1, labels)))
                .hasMessageContaining("byte 26, field \"metadata.labels\": the text is not UTF-8");
        assertThatThrownBy(() -> read("v1", "Secret", message().with(3, 1)))
                .hasMessageContaining("field \"type\": a value with a length is expected");
        assertThatThrownBy(() -> read("v1", "Secret", message().raw(0x0a, 0x7f)))
                .hasMessageContaining("a value of 127 bytes is announced");
        assertThatThrownBy(() -> read("v1", "Secret", message().raw(0x0b)))
                .hasMessageContaining("wire type 3 is not known");
        assertThatThrownBy(() -> KubernetesProtobuf.read("{}".getBytes()))
                .hasMessageContaining("byte 0: the prefix");
    }

    /** Truncated and flipped bytes are read or refused, and nothing else happens. */
    @Test
    void whateverComesIsReadOrRefused() {
        Random random = new Random(SEED);
        byte[] sound =
                envelope(
                        "v1",
                        "Event",
                        message()
                                .with(
                                        1,
                                        metadata("e")
                                                .with(11, "k", "v")
                                                .with(13, message().with(1, "K").with(6, 1)))
                                .with(2, message().with(1, "Tool"))
                                .with(6, message().with(1, 1_767_225_600L).with(2, 1))
                                .with(8, 3)
                                .with(10, message().with(1, 1_767_225_600L)));
        for (int round = 0; round < ROUNDS; round++) {
            byte[] body = Arrays.copyOf(sound, random.nextInt(sound.length + 1));
            for (int flip = random.nextInt(4); flip > 0 && body.length > 0; flip--) {
                body[random.nextInt(body.length)] = (byte) random.nextInt();
            }
            assertThat(catchThrowable(() -> KubernetesProtobuf.read(body)))
                    .as("seed %d, round %d: %s", SEED, round, Arrays.toString(body))
                    .satisfiesAnyOf(
                            e -> assertThat(e).isNull(),
                            e -> assertThat(e).isInstanceOf(ApiException.class));
        }
    }
}
