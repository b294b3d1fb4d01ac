package dev.orloj.server.apply;

import static dev.orloj.server.apply.OwnedResource.applying;
import static dev.orloj.server.apply.OwnedResource.ofSpec;
import static dev.orloj.server.apply.OwnedResource.updating;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;

import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.ObjectNode;

import java.util.List;
import java.util.Random;
import java.util.stream.LongStream;

/** What holds whatever is applied, tried with documents made at random; the seed is the name. */
class RandomManagersTest {

    private static final List<String> NAMES = List.of("a", "b", "c", "d", "e");

    static LongStream seeds() {
        return LongStream.range(0, 300);
    }

    @ParameterizedTest
    @MethodSource("seeds")
    void applyIsIdempotent(long seed) {
        Random random = new Random(seed);
        OwnedResource resource = disturbed(random);
        ObjectNode config = config(random, NAMES);
        resource.apply(applying("x"), config, true);
        ObjectNode document = resource.document().deepCopy();
        ManagedFields managed = resource.managed();

        resource.apply(applying("x"), config, false);

        assertThat(resource.document()).isEqualTo(document);
        assertThat(resource.managed()).matches(m -> m.isSameButForTime(managed));
    }

    @ParameterizedTest
    @MethodSource("seeds")
    void whatIsAppliedIsThereAndOwned(long seed) {
        Random random = new Random(seed);
        OwnedResource resource = disturbed(random);
        ObjectNode config = config(random, NAMES);

        resource.apply(applying("x"), config, true);

        FieldSet wanted =
                FieldCollector.fieldsOf(OwnedResource.TYPE, config).minus(Bookkeeping.FIELDS);
        assertThat(resource.managed().of(applying("x"), Shapes.ONE)).isEqualTo(wanted);
        Comparison lacks = Comparison.of(OwnedResource.TYPE, config, resource.document());
        assertThat(lacks.modified().isEmpty()).isTrue();
        assertThat(lacks.removed().isEmpty()).isTrue();
    }

    @ParameterizedTest
    @MethodSource("seeds")
    void managersOfDisjointFieldsNeverConflict(long seed) {
        Random random = new Random(seed);
        OwnedResource resource = OwnedResource.absent();

        assertThatCode(
                        () -> {
                            for (int i = 0; i < 6; i++) {
                                resource.apply(
                                        applying("x"), config(random, NAMES.subList(0, 2)), false);
                                resource.apply(
                                        applying("y"), config(random, NAMES.subList(2, 5)), false);
                            }
                        })
                .doesNotThrowAnyException();
    }

    /** Whatever others do, what a manager owns is in the document with the value it gave. */
    @ParameterizedTest
    @MethodSource("seeds")
    void whatIsOwnedIsThereAndHasTheOwnersValue(long seed) {
        Random random = new Random(seed);
        OwnedResource resource = OwnedResource.absent();
        ObjectNode config = config(random, NAMES);
        resource.apply(applying("x"), config, true);
        for (int i = 0; i < 5; i++) {
            if (random.nextBoolean()) {
                resource.apply(applying("y"), config(random, NAMES), true);
            } else {
                resource.update(updating("z"), config(random, NAMES));
            }
            FieldSet owned = resource.managed().of(applying("x"), Shapes.ONE);
            FieldSet there = allOf(resource.document());
            assertThat(owned.minus(there).isEmpty()).isTrue();
            Comparison differs = Comparison.of(OwnedResource.TYPE, config, resource.document());
            assertThat(owned.intersection(differs.modified()).isEmpty()).isTrue();
        }
    }

    /** What all managers that ever owned it give up is gone, and only that. */
    @ParameterizedTest
    @MethodSource("seeds")
    void whatAllGiveUpIsGone(long seed) {
        Random random = new Random(seed);
        OwnedResource resource = OwnedResource.absent();
        for (String manager : List.of("x", "y", "z")) {
            resource.apply(applying(manager), config(random, NAMES), true);
        }

        for (String manager : List.of("y", "x", "z")) {
            resource.apply(applying(manager), ofSpec("{image: last}"), true);
        }

        assertThat(resource.document()).isEqualTo(ofSpec("{image: last}"));
    }

    @ParameterizedTest
    @MethodSource("seeds")
    void whatIsEncodedIsDecoded(long seed) {
        OwnedResource resource = disturbed(new Random(seed));

        ArrayNode encoded = ManagedFieldsCodec.encode(resource.managed());

        assertThat(ManagedFieldsCodec.decode(encoded).orElseThrow())
                .matches(read -> read.isSameButForTime(resource.managed()));
        assertThat(ManagedFieldsCodec.encode(ManagedFieldsCodec.decode(encoded).orElseThrow()))
                .isEqualTo(encoded);
    }

    private static FieldSet allOf(JsonNode document) {
        return Comparison.of(OwnedResource.TYPE, ofSpec("{}").objectNode(), document).added();
    }

    private static OwnedResource disturbed(Random random) {
        OwnedResource resource = OwnedResource.absent();
        for (int i = random.nextInt(4); i >= 0; i--) {
            resource.apply(applying("m" + i), config(random, NAMES), true);
            if (random.nextBoolean()) {
                resource.update(updating("u" + i), config(random, NAMES));
            }
        }
        return resource;
    }

    /**
     * A document of which everything is named after {@code names}, so that others share nothing.
     */
    private static ObjectNode config(Random random, List<String> names) {
        ObjectNode document = ofSpec("{}");
        ObjectNode spec = document.withObject("/spec");
        for (String name : names) {
            switch (random.nextInt(7)) {
                case 0 -> document.withObject("/metadata/labels").put("l" + name, text(random));
                case 1 -> item(spec, "env").put("name", name).put("value", text(random));
                case 2 -> item(spec, "ports").put("port", name.charAt(0)).put("name", "p");
                case 3 -> spec.withArray("/tags").add(name);
                case 4 -> spec.withObject("/free/" + name).put("k", random.nextInt(3));
                case 5 -> spec.withObject("/free").putArray("l" + name).add(random.nextInt(3));
                default -> {}
            }
        }
        return document;
    }

    private static ObjectNode item(ObjectNode spec, String list) {
        return spec.withArray("/" + list).addObject();
    }

    private static String text(Random random) {
        return "v" + random.nextInt(3);
    }
}
