package dev.orloj.server.recorded;

import java.util.ArrayList;
import java.util.List;
import java.util.regex.Pattern;

/** Puts a name in the place of what differs from run to run. */
final class Mask {

    private record Rule(Pattern pattern, String replacement) {}

    private static final List<Rule> RULES =
            List.of(
                    rule("[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}", "<uuid>"),
                    rule("\\d{4}-\\d\\d-\\d\\dT\\d\\d:\\d\\d:\\d\\d(\\.\\d+)?Z", "<time>"),
                    rule("(\"(?:resourceVersion|continue)\" ?: ?)\"[^\"]+\"", "$1\"<version>\""),
                    rule("(resourceVersion=|resourceVersion: \")\\d{3,7}\\b", "$1<version>"),
                    rule("((?:Orloj-Call-Id|Mcp-Session-Id): )\\S+", "$1<id>"),
                    rule("sessionId=[^ \"]+\\.<uuid>", "sessionId=<id>"),
                    rule("(\"replica\" ?: ?)\"[^\"]+\"", "$1\"<replica>\""),
                    rule("(\"orloj.dev/gateways\" ?: ?\\[ ?)\"[0-9a-f]+\"", "$1\"<gateway>\""),
                    rule("127\\.0\\.0\\.1:\\d+", "127.0.0.1:<port>"),
                    rule("(?m)^(key|—) (orloj\\.dev/[a-z/-]+)[+ ]\\S+$", "$1 $2 <signed>"),
                    rule("(?m)^id: \\S+-(\\d+)$", "id: <stream>-$1"),
                    rule("(\"pid\" ?: ?)\\d+", "$1<pid>"),
                    rule("(\"(?:millis|[a-zA-Z]+Millis)\" ?: ?)[0-9.]+", "$1<millis>"));

    /** Cells with ages, which only Tables have. */
    private static final Pattern AGE = Pattern.compile("\"(?:\\d+[smhd])+\"");

    private static final int SHORTEST = 8;

    private final List<Rule> own = new ArrayList<>();

    private static Rule rule(String pattern, String replacement) {
        return new Rule(Pattern.compile(pattern), replacement);
    }

    /** Hides this text from now on, unless it is so short that it stands for other things, too. */
    void hide(String text, String name) {
        if (text.length() >= SHORTEST) {
            own.add(new Rule(Pattern.compile(Pattern.quote(text)), "<" + name + ">"));
        }
    }

    String mask(String text) {
        String masked = text;
        for (Rule rule : own) {
            masked = rule.pattern().matcher(masked).replaceAll(rule.replacement());
        }
        for (Rule rule : RULES) {
            masked = rule.pattern().matcher(masked).replaceAll(rule.replacement());
        }
        return masked.contains("\"Table\"") ? AGE.matcher(masked).replaceAll("\"<age>\"") : masked;
    }
}
