package dev.orloj.cli.clientfile;

/** What the same words in a configuration mean to different clients. */
public enum Notation {
    /** A file of an unknown client: every form of variable that is unmistakable. */
    ANY(Variables.BRACES, Unit.GUESS, false),
    /** Texts are what they are. */
    PLAIN(Variables.NONE, Unit.MILLISECONDS, false),
    PLAIN_SECONDS(Variables.NONE, Unit.SECONDS, false),
    BRACES(Variables.BRACES, Unit.MILLISECONDS, false),
    BRACES_SECONDS(Variables.BRACES, Unit.SECONDS, false),
    GEMINI(Variables.SHELL, Unit.MILLISECONDS, true),
    CODEX(Variables.NONE, Unit.SECONDS, false),
    OPENCODE(Variables.SINGLE_BRACES, Unit.MILLISECONDS, false),
    CONTINUE(Variables.TEMPLATES, Unit.MILLISECONDS, false);

    /** How a text refers to a variable. */
    public enum Variables {
        NONE,
        /** {@code ${V}}, {@code ${V:-default}}, {@code ${env:V}}, {@code ${input:id}}. */
        BRACES,
        /** Those, and {@code $V}. */
        SHELL,
        /** {@code {env:V}} and {@code {file:path}}. */
        SINGLE_BRACES,
        /** {@code ${{ secrets.V }}}. */
        TEMPLATES
    }

    /** The unit of a timeout. */
    public enum Unit {
        SECONDS,
        MILLISECONDS,
        /** Numbers from 1000 are milliseconds, as no timeout is that many seconds. */
        GUESS
    }

    private final Variables variables;
    private final Unit unit;
    private final boolean urlMeansSse;

    Notation(Variables variables, Unit unit, boolean urlMeansSse) {
        this.variables = variables;
        this.unit = unit;
        this.urlMeansSse = urlMeansSse;
    }

    public Variables variables() {
        return variables;
    }

    public Unit unit() {
        return unit;
    }

    /** Returns whether {@code url} is that of an HTTP+SSE server, unlike {@code httpUrl}. */
    public boolean urlMeansSse() {
        return urlMeansSse;
    }
}
