package dev.orloj.runtime.http;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.orloj.api.codec.Json;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Objects;

/** H-19: how the requests of declared tools are made from their arguments. */
class RequestTemplateTest {

    private static JsonNode json(String text) {
        return Json.MAPPER.readTree(text.replace('\'', '"'));
    }

    private static RequestTemplate template(String method, String endpoint) {
        return RequestTemplate.of(method, endpoint, List.of(), List.of(), null);
    }

    private static PreparedRequest fill(RequestTemplate template, String arguments)
            throws UnfitArgumentsException {
        return template.fill((ObjectNode) json(arguments));
    }

    private static String url(String method, String endpoint, String arguments)
            throws UnfitArgumentsException {
        return fill(template(method, endpoint), arguments).target().toString();
    }

    private static String body(PreparedRequest request) {
        return new String(Objects.requireNonNull(request.body()), StandardCharsets.UTF_8);
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '"',
            value = {
                "{'id': 'a b/c?d#e&f=%'} | http://x/items/a%20b%2Fc%3Fd%23e%26f%3D%25",
                "{'id': 'Žižkov'} | http://x/items/%C5%BDi%C5%BEkov",
                "{'id': 12345678901234567890.50} | http://x/items/12345678901234567890.50",
                "{'id': true} | http://x/items/true",
                "{'id': '{id}'} | http://x/items/%7Bid%7D",
                "{'id': 'a..b'} | http://x/items/a..b",
            })
    void argumentsInThePathArePercentEncoded(String arguments, String expected) throws Exception {
        assertThat(url("GET", "http://x/items/{id}", arguments)).isEqualTo(expected);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "{}",
                "{'id': null}",
                "{'id': ''}",
                "{'id': '..'}",
                "{'id': '.'}",
                "{'id': 'a/../../admin'}",
                "{'id': '..\\\\x'}",
                "{'id': {'a': 1}}",
                "{'id': [1]}",
            })
    void argumentsThatWouldChangeThePathAreRefusedByName(String arguments) {
        assertThatThrownBy(() -> url("GET", "http://x/items/{id}", arguments))
                .isInstanceOf(UnfitArgumentsException.class)
                .hasMessageStartingWith("arguments[id]: ");
    }

    @Test
    void partsOfASegmentMakeNoDotsTogether() {
        assertThatThrownBy(() -> url("GET", "http://x/{a}{b}/y", "{'a': '.', 'b': '.'}"))
                .isInstanceOf(UnfitArgumentsException.class);
        assertThatThrownBy(() -> url("GET", "http://x/.{a}/y", "{'a': '.'}"))
                .isInstanceOf(UnfitArgumentsException.class);
    }

    @Test
    void queryOfTheEndpointLeavesOutWhatIsNotGiven() throws Exception {
        String endpoint = "http://x/find?v=1&q={text}&page={page}";

        assertThat(url("GET", endpoint, "{'text': 'a&b=c d'}"))
                .isEqualTo("http://x/find?v=1&q=a%26b%3Dc%20d");
        assertThat(url("GET", endpoint, "{'text': ['a', 'b'], 'page': 2}"))
                .isEqualTo("http://x/find?v=1&q=a&q=b&page=2");
    }

    @ParameterizedTest
    @ValueSource(strings = {"GET", "DELETE"})
    void otherArgumentsAreParametersWithoutABody(String method) throws Exception {
        PreparedRequest request =
                fill(
                        template(method, "http://x/{id}?v=1"),
                        "{'id': 7, 'q': 'a b', 'tags': [1, null, 'x'], 'none': null, 'o': {'k':"
                                + " 1}}");

        assertThat(request.target())
                .hasToString("http://x/7?v=1&q=a%20b&tags=1&tags=x&o=%7B%22k%22%3A1%7D");
        assertThat(request.body()).isNull();
    }

    @ParameterizedTest
    @ValueSource(strings = {"POST", "PUT", "PATCH"})
    void otherArgumentsAreTheBodyWithIt(String method) throws Exception {
        PreparedRequest request =
                fill(template(method, "http://x/{id}"), "{'id': 7, 'n': 1.50, 'none': null}");

        assertThat(request.target()).hasToString("http://x/7");
        assertThat(body(request)).isEqualTo("{\"n\":1.50,\"none\":null}");
    }

    @Test
    void parametersAndHeadersTakeArgumentsAndSecretsAsTheyAre() throws Exception {
        RequestTemplate template =
                RequestTemplate.of(
                        "GET",
                        "http://x",
                        List.of(
                                new RequestParameter("q", "in:{where} {text}", false),
                                new RequestParameter("lang", "{lang}", false),
                                new RequestParameter("key", "{not a place}&", true)),
                        List.of(
                                new RequestParameter("X-Tenant", "t-{tenant}", false),
                                new RequestParameter("X-Lang", "{lang}", false),
                                new RequestParameter("X-Json", "{{}}", false)),
                        null);

        PreparedRequest request =
                fill(template, "{'where': 'a', 'text': 'b&c', 'tenant': 5, 'rest': 1}");

        assertThat(request.target())
                .hasToString("http://x?q=in%3Aa%20b%26c&key=%7Bnot%20a%20place%7D%26&rest=1");
        assertThat(request.headers()).containsOnly(entry("X-Tenant", "t-5"), entry("X-Json", "{}"));
        assertThat(template.toString() + request).doesNotContain("not a place");
    }

    private static java.util.Map.Entry<String, String> entry(String name, String value) {
        return java.util.Map.entry(name, value);
    }

    @ParameterizedTest
    @ValueSource(strings = {"'a\\r\\nEvil: 1'", "'ž'", "{'a': 1}", "'a\\u0000'"})
    void argumentsThatNoHeaderCanHoldAreRefused(String value) {
        RequestTemplate template =
                RequestTemplate.of(
                        "GET",
                        "http://x",
                        List.of(),
                        List.of(new RequestParameter("X-A", "{a}", false)),
                        null);

        assertThatThrownBy(() -> fill(template, "{'a': %s}".formatted(value)))
                .isInstanceOf(UnfitArgumentsException.class)
                .hasMessageContaining("arguments[a]")
                .hasMessageContaining("header");
    }

    @Test
    void bodyHasArgumentsWithTheirTypesInTheirPlaces() throws Exception {
        RequestTemplate template =
                RequestTemplate.of(
                        "POST",
                        "http://x",
                        List.of(),
                        List.of(),
                        json(
                                "{'model': 'm', 'messages': [{'role': 'user', 'text': 'Say"
                                    + " {what}!'}], 'n': '{n}', 'stop': '{stop}', 'list': ['{n}',"
                                    + " '{stop}'], 'flag': true}"));

        assertThat(body(fill(template, "{'what': 'a \\\"b\\\"', 'n': 1.50, 'unused': 1}")))
                .isEqualTo(
                        Json.MAPPER.writeValueAsString(
                                json(
                                        "{'model': 'm', 'messages': [{'role': 'user', 'text': 'Say"
                                            + " a \\\"b\\\"!'}], 'n': 1.50, 'list': [1.50], 'flag':"
                                            + " true}")));
    }

    @Test
    void bodyThatGrowsBeyondAllBoundsIsRefused() {
        ObjectNode body = Json.MAPPER.createObjectNode();
        for (int i = 0; i < 2_000; i++) {
            body.put("m" + i, i % 2 == 0 ? "{a}" : "x{a}");
        }
        RequestTemplate template =
                RequestTemplate.of("POST", "http://x", List.of(), List.of(), body);

        assertThatThrownBy(() -> fill(template, "{'a': '%s'}".formatted("x".repeat(100_000))))
                .isInstanceOf(UnfitArgumentsException.class)
                .hasMessageContaining("would have more than 16777216 bytes");
    }

    @Test
    void urlThatIsTooLongIsRefused() {
        assertThatThrownBy(
                        () -> url("GET", "http://x", "{'a': '%s'}".formatted("x".repeat(40_000))))
                .isInstanceOf(UnfitArgumentsException.class)
                .hasMessageContaining("at most 32768");
    }

    /** H-19: a template with many places multiplies an argument, and a list its parameter. */
    @Test
    void urlAndHeadersThatGrowBeyondAllBoundsAreRefusedBeforeTheyDo() {
        String places = "{a}".repeat(1_000_000);
        String list = "{'a': [%s]}".formatted("'',".repeat(99_999) + "''");
        String text = "{'a': '%s'}".formatted("x".repeat(8_000));
        List<RequestParameter> parameter =
                List.of(new RequestParameter("P", "x".repeat(1_000_000) + "{a}", false));
        List<RequestParameter> header = List.of(new RequestParameter("P", places, false));

        assertRefused(template("GET", "http://x/" + places), text, "the URL");
        assertRefused(template("GET", "http://x/" + "{a}/".repeat(1_000_000)), text, "the URL");
        assertRefused(template("GET", "http://x?a=" + places), text, "the URL");
        assertRefused(
                RequestTemplate.of("GET", "http://x", parameter, List.of(), null), list, "the URL");
        assertRefused(
                RequestTemplate.of("GET", "http://x", List.of(), header, null),
                text,
                "the header P");
    }

    private static void assertRefused(RequestTemplate template, String arguments, String part) {
        assertThatThrownBy(() -> fill(template, arguments))
                .isInstanceOf(UnfitArgumentsException.class)
                .hasMessageContaining("must be shorter: " + part);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "x",
                "ftp://x/",
                "http://",
                "http://{host}/a",
                "http://x{host}/",
                "https://x:{port}/",
                "http://u:p@x/",
                "http://x/a#b",
                "http://x/{",
                "http://x/}",
                "http://x/{}",
                "http://x/{a{b}}",
                "http://x/a b",
                "http://x/?a=b c",
                "http://x/\u0000",
                "http://x/{a/b}",
            })
    void endpointsThatCannotBeUsedAreRefusedWithTheFieldAndARemedy(String endpoint) {
        assertThatThrownBy(() -> template("GET", endpoint))
                .isInstanceOf(InvalidTemplateException.class)
                .hasMessageStartingWith("spec.endpoint: ");
    }

    @Test
    void placesOfUnknownArgumentsAreFoundWhereTheSchemaListsThem() {
        RequestTemplate template = template("GET", "http://x/{city}?u={units}");

        template.requireArguments(json("{'type': 'object'}"));
        template.requireArguments(json("{'$ref': '#/x', 'properties': {}}"));
        template.requireArguments(json("{'properties': {'city': {}, 'units': {}}}"));
        assertThatThrownBy(() -> template.requireArguments(json("{'properties': {'city': {}}}")))
                .isInstanceOf(InvalidTemplateException.class)
                .hasMessageContaining("no property \"units\"");
    }

    @Test
    void schemaIsMadeOfThePlaces() {
        assertThat(template("GET", "http://x/{city}?u={units}").schema())
                .isEqualTo(
                        json(
                                "{'type': 'object', 'properties': {'city': {}, 'units': {}},"
                                        + " 'required': ['city']}"));
        assertThat(template("GET", "http://x").schema())
                .isEqualTo(json("{'type': 'object', 'properties': {}}"));
    }
}
