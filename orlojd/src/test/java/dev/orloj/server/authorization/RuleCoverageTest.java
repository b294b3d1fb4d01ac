package dev.orloj.server.authorization;

import static org.assertj.core.api.Assertions.assertThat;

import dev.orloj.api.rbac.PolicyRule;

import org.junit.jupiter.api.Test;

import java.util.List;

/** No user grants rights that they lack. */
class RuleCoverageTest {

    @Test
    void starsCoverEverything() {
        PolicyRule admin = rule("*", "*", "*");
        PolicyRule wanted = rule("get,delete", "orloj.dev,", "tools,tools/status");

        assertThat(RuleCoverage.uncovered(List.of(admin), List.of(wanted))).isEmpty();
    }

    @Test
    void starIsCoveredByAStarOnly() {
        PolicyRule has = rule("get,list,watch,create", "orloj.dev", "tools,mcpservers");

        assertThat(missing(has, rule("*", "orloj.dev", "tools")))
                .containsExactly(
                        "{APIGroups:[\"orloj.dev\"], Resources:[\"tools\"], Verbs:[\"*\"]}");
        assertThat(missing(has, rule("get", "orloj.dev", "*")))
                .containsExactly("{APIGroups:[\"orloj.dev\"], Resources:[\"*\"], Verbs:[\"get\"]}");
    }

    @Test
    void ruleWithNamesNeverCoversOneWithout() {
        PolicyRule named =
                new PolicyRule(
                        List.of("get"), List.of(""), List.of("secrets"), List.of("a"), List.of());

        assertThat(missing(named, rule("get", "", "secrets")))
                .containsExactly("{APIGroups:[\"\"], Resources:[\"secrets\"], Verbs:[\"get\"]}");
        assertThat(missing(rule("get", "", "secrets"), named)).isEmpty();
    }

    @Test
    void subresourceNeedsARuleOfItsOwn() {
        PolicyRule has = rule("get", "orloj.dev", "tools,*/status");

        assertThat(missing(has, rule("get", "orloj.dev", "tools/status"))).isEmpty();
        assertThat(missing(has, rule("get", "orloj.dev", "tools/log"))).hasSize(1);
    }

    @Test
    void twoRulesTogetherDoNotCoverOnePart() {
        List<PolicyRule> has = List.of(rule("get", "a", "x"), rule("list", "b", "x"));

        assertThat(RuleCoverage.uncovered(has, List.of(rule("get,list", "a,b", "x"))))
                .extracting(RuleCoverage::text)
                .containsExactly(
                        "{APIGroups:[\"a\"], Resources:[\"x\"], Verbs:[\"list\"]}",
                        "{APIGroups:[\"b\"], Resources:[\"x\"], Verbs:[\"get\"]}");
    }

    @Test
    void missingVerbsOfOneResourceAreOneLine() {
        assertThat(missing(rule("list", "a", "x"), rule("get,list,delete", "a", "x")))
                .containsExactly(
                        "{APIGroups:[\"a\"], Resources:[\"x\"], Verbs:[\"get\" \"delete\"]}");
    }

    @Test
    void pathsAreCoveredByPrefix() {
        PolicyRule has = paths("/openapi*");

        assertThat(missing(has, paths("/openapi/v3"))).isEmpty();
        assertThat(missing(has, paths("/openapi/*"))).isEmpty();
        assertThat(missing(has, paths("*")))
                .containsExactly("{NonResourceURLs:[\"*\"], Verbs:[\"get\"]}");
    }

    private static List<String> missing(PolicyRule has, PolicyRule wanted) {
        return RuleCoverage.uncovered(List.of(has), List.of(wanted)).stream()
                .map(RuleCoverage::text)
                .toList();
    }

    private static PolicyRule paths(String pattern) {
        return new PolicyRule(List.of("get"), List.of(), List.of(), List.of(), List.of(pattern));
    }

    private static PolicyRule rule(String verbs, String groups, String resources) {
        return new PolicyRule(
                List.of(verbs.split(",", -1)),
                List.of(groups.split(",", -1)),
                List.of(resources.split(",", -1)),
                List.of(),
                List.of());
    }
}
