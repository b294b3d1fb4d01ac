package dev.orloj.cli.check;

import dev.orloj.api.codec.Json;
import dev.orloj.api.report.Check;
import dev.orloj.api.report.Finding;
import dev.orloj.cli.output.Documents;

import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.ObjectNode;

import java.net.URI;
import java.net.URISyntaxException;
import java.util.List;

/**
 * Writes findings as SARIF 2.1.0, which code scanning reads. Each result has the line of its field;
 * one of a stored server has its name instead, for lack of a file.
 */
final class SarifReport {

    private static final String SCHEMA = "https://json.schemastore.org/sarif-2.1.0.json";

    private SarifReport() {}

    static String write(List<Checked> checked) {
        ObjectNode log = Json.MAPPER.createObjectNode();
        log.put("$schema", SCHEMA).put("version", "2.1.0");
        ObjectNode run = log.putArray("runs").addObject();
        ObjectNode driver = run.putObject("tool").putObject("driver");
        driver.put("name", "orlojctl check");
        ArrayNode rules = driver.putArray("rules");
        for (Check check : Check.values()) {
            addRule(rules.addObject(), check);
        }
        ArrayNode results = run.putArray("results");
        for (Checked one : checked) {
            one.findings().forEach(finding -> addResult(results.addObject(), one, finding));
        }
        return Documents.toJson(log);
    }

    private static void addRule(ObjectNode rule, Check check) {
        rule.put("id", check.id());
        rule.putObject("shortDescription").put("text", check.rule());
        rule.putObject("help").put("text", check.remedy());
        rule.putObject("defaultConfiguration").put("level", check.severity().word());
    }

    private static void addResult(ObjectNode result, Checked one, Finding finding) {
        result.put("ruleId", finding.id());
        Check.find(finding.id()).ifPresent(check -> result.put("ruleIndex", check.ordinal()));
        result.put("level", finding.severity().word());
        result.putObject("message")
                .put(
                        "text",
                        "%s: %s. %s".formatted(one.name(), finding.message(), finding.remedy()));
        ObjectNode location = result.putArray("locations").addObject();
        one.file()
                .ifPresent(
                        file -> {
                            ObjectNode place = location.putObject("physicalLocation");
                            place.putObject("artifactLocation").put("uri", uri(file));
                            place.putObject("region").put("startLine", one.line(finding.field()));
                        });
        location.putArray("logicalLocations")
                .addObject()
                .put("fullyQualifiedName", one.name())
                .put("kind", "resource");
        result.putObject("partialFingerprints")
                .put(
                        "orlojCheck/v1",
                        "%s:%s:%s".formatted(one.name(), finding.id(), finding.field()));
    }

    /** Returns the path relative to the folder of the command, as a URI. */
    private static String uri(String file) {
        String path = file.replace('\\', '/');
        try {
            return new URI(null, null, path.startsWith("./") ? path.substring(2) : path, null)
                    .toASCIIString();
        } catch (URISyntaxException e) {
            return path;
        }
    }
}
