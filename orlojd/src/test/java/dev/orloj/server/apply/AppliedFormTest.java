package dev.orloj.server.apply;

import static dev.orloj.server.apply.OwnedResource.ofSpec;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class AppliedFormTest {

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "{imagee: x}                      | .spec.imagee: field not declared in schema",
                "{limits: {disk: x}}              | .spec.limits.disk: field not declared in"
                        + " schema",
                "{env: [{name: A, valu: x}]}      | .spec.env[name=\"A\"].valu: field not declared"
                        + " in schema",
                "{env: [{name: A}, {name: A}]}    | .spec.env: duplicate entries for key"
                        + " [name=\"A\"]",
                "{tags: [a, a]}                   | .spec.tags: duplicate entries for key [=\"a\"]",
                "{ports: [{port: 1}, {port: 1, protocol: tcp}]} | .spec.ports: duplicate entries"
                        + " for key [port=1,protocol=\"tcp\"]",
                "{env: [{value: x}]}              | .spec.env: element 0: associative list with"
                    + " keys has an element that omits key field \"name\" (and doesn't have default"
                    + " value)",
            })
    void whatCannotBeAppliedIsNamedWithItsPlace(String spec, String problem) {
        assertThat(AppliedForm.problems(OwnedResource.TYPE, ofSpec(spec))).containsExactly(problem);
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "{image: null, selector: {any: x}}",
                "{free: {any: [{thing: 1}]}, args: [a, a]}",
                "{ports: [{port: 1}, {port: 1, protocol: udp}]}",
            })
    void whatCanBeAppliedHasNoProblem(String spec) {
        assertThat(AppliedForm.problems(OwnedResource.TYPE, ofSpec(spec))).isEmpty();
    }
}
