package dev.orloj.cli.check;

import dev.orloj.api.codec.Json;
import dev.orloj.api.findings.DefinitionFinding;
import dev.orloj.api.findings.FindingRule;
import dev.orloj.api.report.Check;
import dev.orloj.api.report.Finding;
import dev.orloj.cli.output.Documents;

import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.ObjectNode;

import java.net.URI;
import java.net.URISyntaxException;
import java.util.List;
import java.util.Locale;

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
        for (FindingRule rule : FindingRule.values()) {
            addRule(rules.addObject(), rule);
        }
        ArrayNode results = run.putArray("results");
        for (Checked one : checked) {
            one.report()
                    .findings()
                    .forEach(finding -> addResult(results.addObject(), one, finding));
            one.definitionFindings().forEach(found -> addResult(results.addObject(), one, found));
        }
        return Documents.toJson(log);
    }

    private static void addRule(ObjectNode rule, Check check) {
        rule.put("id", check.id());
        rule.putObject("shortDescription").put("text", check.rule());
        rule.putObject("help").put("text", check.remedy());
        rule.putObject("defaultConfiguration").put("level", check.severity().word());
    }

    /** Code scanning sorts findings with a score by it, and shows them as security findings. */
    private static void addRule(ObjectNode target, FindingRule rule) {
        target.put("id", rule.id());
        target.putObject("shortDescription").put("text", rule.rule());
        target.putObject("help").put("text", rule.remedy());
        target.putObject("defaultConfiguration").put("level", rule.severity().inReport().word());
        ObjectNode properties = target.putObject("properties");
        properties.put("security-severity", rule.severity().score());
        properties.putArray("tags").add("security");
    }

    private static void addResult(ObjectNode result, Checked one, DefinitionFinding found) {
        result.put("ruleId", found.id());
        FindingRule.find(found.id())
                .ifPresent(rule -> result.put("ruleIndex", Check.values().length + rule.ordinal()));
        result.put("level", found.severity().inReport().word());
        String place = "%s/%s%s".formatted(one.name(), found.subject(), found.where());
        result.putObject("message")
                .put("text", "%s: %s. %s".formatted(place, found.message(), found.remedy()));
        ObjectNode location = result.putArray("locations").addObject();
        addFile(location, one, "");
        location.putArray("logicalLocations")
                .addObject()
                .put("fullyQualifiedName", place)
                .put("kind", "member");
        result.putObject("partialFingerprints")
                .put("orlojCheck/v1", "%s:%s".formatted(place, found.id()));
        ObjectNode properties = result.putObject("properties");
        properties.put("severity", found.severity().name().toLowerCase(Locale.ROOT));
        properties.put("excerpt", found.excerpt());
        properties.put("offset", found.offset()).put("length", found.length());
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
        addFile(location, one, finding.field());
        location.putArray("logicalLocations")
                .addObject()
                .put("fullyQualifiedName", one.name())
                .put("kind", "resource");
        result.putObject("partialFingerprints")
                .put(
                        "orlojCheck/v1",
                        "%s:%s:%s".formatted(one.name(), finding.id(), finding.field()));
    }

    private static void addFile(ObjectNode location, Checked one, String field) {
        one.file()
                .ifPresent(
                        file -> {
                            ObjectNode place = location.putObject("physicalLocation");
                            place.putObject("artifactLocation").put("uri", uri(file));
                            place.putObject("region").put("startLine", one.line(field));
                        });
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
