package dev.orloj.runtime.gateway;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

import java.util.List;
import java.util.Optional;
import java.util.stream.IntStream;

/** H-30. */
class GatewayPathTest {

    @Test
    void headerIsReadWithinBoundsAndWithoutWhatIsNoId() {
        assertThat(GatewayPath.parse(null)).isEmpty();
        assertThat(GatewayPath.parse("a, b,,a, no id, \"q\" ,c")).containsExactly("a", "b", "c");
        String many = String.join(",", IntStream.range(0, 10_000).mapToObj(i -> "g" + i).toList());
        assertThat(GatewayPath.parse(many)).hasSize(GatewayPath.MAX_IDS);
    }

    @Test
    void requestCarriesThoseThatItsCallerPassedAlsoOnOtherThreads() throws Exception {
        assertThat(GatewayPath.header(Optional.empty())).isEmpty();
        assertThat(GatewayPath.header(Optional.of("own"))).hasValue("own");

        Optional<String> carried =
                GatewayPath.during(
                                List.of("a", "b"),
                                () ->
                                        GatewayPath.carried(
                                                () -> GatewayPath.header(Optional.of("own"))))
                        .call();

        assertThat(carried).hasValue("a, b, own");
    }

    @Test
    void ownIdAndTooManyHopsAreObjectedTo() {
        List<String> eight = IntStream.range(0, 8).mapToObj(i -> "g" + i).toList();
        List<String> nine = IntStream.range(0, 9).mapToObj(i -> "g" + i).toList();

        assertThat(GatewayPath.objection(List.of("a"), "own")).isEmpty();
        assertThat(GatewayPath.objection(List.of("own", "a"), "own").orElseThrow())
                .contains("\"own\"", "by way of own, a");
        assertThat(GatewayPath.objection(eight, "own")).isEmpty();
        assertThat(GatewayPath.objection(nine, "own").orElseThrow())
                .contains("9 gateways, and at most 8");
    }
}
