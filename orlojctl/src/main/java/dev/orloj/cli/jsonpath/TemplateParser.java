package dev.orloj.cli.jsonpath;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;

/** Parses a template: text, and expressions in braces. */
final class TemplateParser {

    private static final int LONGEST = 64 * 1024;

    private final String template;
    private int at;

    TemplateParser(String template) {
        if (template.length() > LONGEST) {
            throw new PathException("the template is longer than %d characters".formatted(LONGEST));
        }
        this.template = template;
    }

    private record Open(List<Step> steps, List<Node> body) {}

    List<Node> parse() {
        Deque<Open> open = new ArrayDeque<>();
        open.push(new Open(List.of(), new ArrayList<>()));
        while (at < template.length()) {
            int brace = template.indexOf('{', at);
            if (brace != at) {
                int end = brace < 0 ? template.length() : brace;
                open.element().body().add(new Node.Text(template.substring(at, end)));
                at = end;
            } else {
                at++;
                expressions(open);
            }
        }
        if (open.size() > 1) {
            throw new PathException("{range} has no {end}");
        }
        return open.element().body();
    }

    /** Parses what stands between two braces: one expression, or several with spaces between. */
    private void expressions(Deque<Open> open) {
        PathParser path = new PathParser(template, at);
        while (!path.skipTo('}')) {
            if (path.takeWord("range")) {
                path.skipSpaces();
                open.push(new Open(path.path(), new ArrayList<>()));
            } else if (path.takeWord("end")) {
                if (open.size() == 1) {
                    throw new PathException("{end} without {range}");
                }
                Open range = open.pop();
                open.element().body().add(new Node.Range(range.steps(), range.body()));
            } else if (path.isAtQuote()) {
                open.element().body().add(new Node.Text(path.quoted()));
            } else {
                open.element().body().add(new Node.Path(path.path()));
            }
        }
        at = path.position();
    }
}
