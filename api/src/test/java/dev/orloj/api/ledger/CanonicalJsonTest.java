package dev.orloj.api.ledger;

import static org.assertj.core.api.Assertions.assertThat;

import dev.orloj.api.codec.Json;

import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.ObjectNode;

import java.math.BigDecimal;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Random;

/** RFC 8785, with the vectors of its appendices, and its two deviations. */
class CanonicalJsonTest {

    /** A run of values that is small enough to contain equal ones. */
    private static final int VALUES = 3_000;

    private final Random random = new Random(8785);

    private static String canonical(String json) {
        return CanonicalJson.of(Json.MAPPER.readTree(json));
    }

    @Test
    @DisplayName("RFC 8785, 3.2.2 and 3.2.3")
    void sampleOfTheSpecification() {
        assertThat(
                        canonical(
                                """
                                {
                                  "numbers": [333333333.3333333, 1E30, 4.50,
                                              2e-3, 0.000000000000000000000000001],
                                  "string": "\\u20ac$\\u000F\\u000aA'\\u0042\\u0022\\u005c\\\\\\"\\/",
                                  "literals": [null, true, false]
                                }
                                """))
                .isEqualTo(
                        "{\"literals\":[null,true,false],\"numbers\":[333333333.3333333,1e+30,4.5,0.002,1e-27],\"string\":\"\u20ac$\\u000f\\n"
                            + "A'B\\\"\\\\\\\\\\\"/\"}");
    }

    @Test
    @DisplayName("RFC 8785, 3.2.3: names are sorted by their UTF-16 code units")
    void namesAreSortedByCodeUnits() {
        assertThat(
                        canonical(
                                """
                                {"\\u20ac": "Euro Sign", "\\r": "Carriage Return",
                                 "\\ufb33": "Hebrew Letter Dalet With Dagesh", "1": "One",
                                 "\\ud83d\\ude00": "Emoji: Grinning Face", "\\u0080": "Control",
                                 "\\u00f6": "Latin Small Letter O With Diaeresis"}
                                """))
                .isEqualTo(
                        "{\"\\r"
                            + "\":\"Carriage"
                            + " Return\",\"1\":\"One\",\"\u0080\":\"Control\",\"\u00f6\":\"Latin"
                            + " Small Letter O With Diaeresis\",\"\u20ac\":\"Euro"
                            + " Sign\",\"\ud83d\ude00\":\"Emoji: Grinning"
                            + " Face\",\"\ufb33\":\"Hebrew Letter Dalet With Dagesh\"}");
    }

    /** Appendix B, without NaN and Infinity, which JSON does not have. */
    @ParameterizedTest
    @CsvSource({
        "0000000000000000, 0",
        "8000000000000000, 0",
        "0000000000000001, 5e-324",
        "8000000000000001, -5e-324",
        "7fefffffffffffff, 1.7976931348623157e+308",
        "ffefffffffffffff, -1.7976931348623157e+308",
        "4340000000000000, 9007199254740992",
        "c340000000000000, -9007199254740992",
        "4430000000000000, 295147905179352830000",
        "44b52d02c7e14af5, 9.999999999999997e+22",
        "44b52d02c7e14af6, 1e+23",
        "44b52d02c7e14af7, 1.0000000000000001e+23",
        "444b1ae4d6e2ef4e, 999999999999999700000",
        "444b1ae4d6e2ef4f, 999999999999999900000",
        "444b1ae4d6e2ef50, 1e+21",
        "3eb0c6f7a0b5ed8c, 9.999999999999997e-7",
        "3eb0c6f7a0b5ed8d, 0.000001",
        "41b3de4355555553, 333333333.3333332",
        "41b3de4355555554, 333333333.33333325",
        "41b3de4355555555, 333333333.3333333",
        "41b3de4355555556, 333333333.3333334",
        "41b3de4355555557, 333333333.33333343",
        "becbf647612f3696, -0.0000033333333333333333",
        "43143ff3c1cb0959, 1424953923781206.2"
    })
    @DisplayName("RFC 8785, appendix B")
    void numbersHaveTheLayoutOfTheSpecification(String bits, String text) {
        assertThat(canonical(text)).isEqualTo(text);
        double value = Double.longBitsToDouble(Long.parseUnsignedLong(bits, 16));
        assertThat(Double.parseDouble(text)).isEqualTo(value == 0 ? 0.0 : value);
    }

    @ParameterizedTest
    @CsvSource({
        "1.0, 1",
        "1e2, 100",
        "100.00, 100",
        "-0.0, 0",
        "0e9, 0",
        "1E+2, 100",
        "12e-1, 1.2",
        "0.00000012, 1.2e-7",
        "123456789012345678901, 123456789012345678901",
        "1e400, 1e+400",
        "-1.5e-400, -1.5e-400"
    })
    void oneNumberHasOneForm(String written, String form) {
        assertThat(canonical(written)).isEqualTo(form);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "9007199254740993",
                "-9007199254740993",
                "9223372036854775807",
                "12345678901234567890123",
                "333333333.33333329",
                "0.1000000000000000055511151231257827"
            })
    @DisplayName("Deviation: a number that a double would round keeps its digits")
    void numberKeepsItsDigits(String number) {
        assertThat(new BigDecimal(canonical(number))).isEqualByComparingTo(number);
    }

    @Test
    @DisplayName("Deviation: halves of surrogate pairs are escapes")
    void halvesOfSurrogatePairsStayApart() {
        assertThat(canonical("\"\\ud800\"")).isEqualTo("\"\\ud800\"");
        assertThat(canonical("\"\\udfff\\ud800\"")).isEqualTo("\"\\udfff\\ud800\"");
        assertThat(canonical("\"\\ud83d\\ude00\"")).isEqualTo("\"\ud83d\ude00\"");
        List<String> different =
                List.of("\"\\ud800\"", "\"\\ud801\"", "\"?\"", "\"\\ufffd\"", "\"\\\\ud800\"");
        assertThat(different.stream().map(json -> CanonicalJson.digest(Json.MAPPER.readTree(json))))
                .doesNotHaveDuplicates();
    }

    @Test
    void composedAndDecomposedTextsAreTwo() {
        assertThat(canonical("\"\u00e9\"")).isNotEqualTo(canonical("\"e\u0301\""));
    }

    @Test
    void valuesHaveOneFormIfAndOnlyIfTheyAreEqual() {
        List<JsonNode> values = new ArrayList<>();
        for (int i = 0; i < VALUES; i++) {
            values.add(value(2));
        }
        for (int i = 0; i < VALUES; i++) {
            JsonNode one = values.get(random.nextInt(VALUES));
            JsonNode other = values.get(random.nextInt(VALUES));
            assertThat(CanonicalJson.of(one).equals(CanonicalJson.of(other)))
                    .as("%s and %s", one, other)
                    .isEqualTo(one.equals(CanonicalJsonTest::byValue, other));
        }
    }

    @Test
    void theFormIsJsonOfTheSameValueAndItsOwnForm() {
        for (int i = 0; i < VALUES; i++) {
            JsonNode value = value(4);
            String form = CanonicalJson.of(value);
            JsonNode read = Json.MAPPER.readTree(form);
            assertThat(read.equals(CanonicalJsonTest::byValue, value)).as(form).isTrue();
            assertThat(CanonicalJson.of(read)).isEqualTo(form);
            assertThat(CanonicalJson.of(shuffled(value))).isEqualTo(form);
        }
    }

    private static int byValue(JsonNode one, JsonNode other) {
        if (one.equals(other)) {
            return 0;
        }
        return one.isNumber() && other.isNumber()
                ? one.decimalValue().compareTo(other.decimalValue())
                : 1;
    }

    private JsonNode value(int depth) {
        return switch (random.nextInt(depth > 0 ? 7 : 5)) {
            case 0 -> Json.MAPPER.readTree(number());
            case 1 -> Json.MAPPER.getNodeFactory().stringNode(text());
            case 2 -> Json.MAPPER.getNodeFactory().booleanNode(random.nextBoolean());
            case 3 -> Json.MAPPER.nullNode();
            case 4 -> Json.MAPPER.readTree(Integer.toString(random.nextInt(3)));
            case 5 -> {
                ArrayNode list = Json.MAPPER.createArrayNode();
                for (int i = random.nextInt(3); i > 0; i--) {
                    list.add(value(depth - 1));
                }
                yield list;
            }
            default -> {
                ObjectNode object = Json.MAPPER.createObjectNode();
                for (int i = random.nextInt(3); i > 0; i--) {
                    object.set(text(), value(depth - 1));
                }
                yield object;
            }
        };
    }

    private String number() {
        String digits = random.nextInt(3) == 0 ? "900719925474099" : "";
        String fraction = random.nextBoolean() ? "" : ".0" + random.nextInt(10) + "0";
        String exponent = random.nextBoolean() ? "" : "e" + (random.nextInt(61) - 30);
        return (random.nextBoolean() ? "-" : "")
                + (digits.isEmpty() ? "1" : digits)
                + random.nextInt(4)
                + fraction
                + exponent;
    }

    private String text() {
        String alphabet = "ab\"\\\n\u0000\u001f/\u00e9\ud800\udc00\u2028";
        StringBuilder text = new StringBuilder();
        for (int i = random.nextInt(3); i > 0; i--) {
            text.append(alphabet.charAt(random.nextInt(alphabet.length())));
        }
        return text.toString();
    }

    private JsonNode shuffled(JsonNode value) {
        if (!(value instanceof ObjectNode object)) {
            return value;
        }
        List<String> names = new ArrayList<>(object.propertyNames());
        Collections.shuffle(names, random);
        ObjectNode copy = Json.MAPPER.createObjectNode();
        names.forEach(name -> copy.set(name, object.path(name)));
        return copy;
    }
}
