package dev.orloj.api.findings;

import static dev.orloj.api.findings.FindingSeverity.CRITICAL;
import static dev.orloj.api.findings.FindingSeverity.HIGH;
import static dev.orloj.api.findings.FindingSeverity.LOW;
import static dev.orloj.api.findings.FindingSeverity.MEDIUM;

import java.util.Arrays;
import java.util.Locale;
import java.util.Optional;

/** What a definition is examined for. The ids are stable: files of CI name them. */
public enum FindingRule {
    TAG_CHARACTERS(
            CRITICAL,
            "No text is hidden in Unicode tag characters.",
            "Do not use the server: models read this text, and people do not see it."),
    VARIATION_BYTES(
            HIGH,
            "No bytes are hidden in variation selectors.",
            "Do not use the server before its author has said what the bytes are."),
    BIDI_CONTROL(
            HIGH,
            "No bidirectional controls change the order in which text is shown.",
            "Have the server remove the characters; read the escaped text until then."),
    INVISIBLE_CHARACTER(
            MEDIUM,
            "Texts have no invisible characters where no script or emoji needs them.",
            "Have the server remove the characters; read the escaped text until then."),
    PRIVATE_USE_CHARACTER(
            LOW,
            "Texts have no private-use characters, whose meaning is not public.",
            "Have the server write what the characters mean."),
    TERMINAL_ESCAPE(
            HIGH,
            "Texts have no escape sequences of terminals.",
            "Have the server remove them: they hide text from people who read it in a terminal."),
    CONTROL_CHARACTER(
            MEDIUM,
            "Texts have no control characters except tabs and line ends.",
            "Have the server remove the characters."),
    HIDDEN_MARKUP(
            MEDIUM,
            "Texts have no comments or markup that a rendered page does not show.",
            "Read what is hidden, and have the server remove it."),
    HIDDEN_BY_PADDING(
            MEDIUM,
            "No text stands behind a long run of blanks or line ends.",
            "Read what stands behind the blanks, and have the server remove them."),
    ENCODED_PAYLOAD(
            HIGH,
            "No base64 or hexadecimal text decodes to instructions or commands.",
            "Do not use the server before its author has said what the text is for."),
    ENCODED_TEXT(
            LOW,
            "No base64 or hexadecimal text decodes to readable text.",
            "Read what it decodes to."),
    OVERRIDE_DIRECTIVE(
            HIGH,
            "No text asks the model to set aside its instructions or the user.",
            "Have the server remove the text, or leave the tool out with spec.tool_filter."),
    SECRECY_DIRECTIVE(
            HIGH,
            "No text asks the model to hide something from the user.",
            "Have the server remove the text, or leave the tool out with spec.tool_filter."),
    EXFILTRATION_DIRECTIVE(
            HIGH,
            "No text asks the model to hand over secrets.",
            "Have the server remove the text, or leave the tool out with spec.tool_filter."),
    SENSITIVE_PATH(
            LOW, "No text names files that hold secrets.", "Find out why the tool names the file."),
    MODEL_MARKUP(
            MEDIUM,
            "No text has the markup that separates system prompts from other text.",
            "Have the server remove the markup: it makes a description look like an order."),
    OTHER_TOOL_DIRECTIVE(
            MEDIUM,
            "No text says how to use other tools.",
            "Find out what the tool has to do with the others."),
    OVERT_DIRECTIVE(
            LOW,
            "Descriptions describe, and do not order the model to act.",
            "Find out whether the order serves the user."),
    DELAYED_TRIGGER(
            MEDIUM,
            "No text makes behavior depend on the number of calls.",
            "Find out what changes then."),
    FETCHED_INSTRUCTIONS(
            MEDIUM,
            "No text has the model follow instructions from elsewhere.",
            "Read the instructions; they can change without a change of the definition."),
    PREFERENCE_WORDS(
            LOW, "No text asks to be preferred to other tools.", "Compare the tools yourself."),
    STUFFED_TEXT(
            LOW,
            "Descriptions have a usual length and do not repeat keywords.",
            "Have the server shorten the description."),
    ASKS_FOR_SECRET(
            LOW,
            "Tools that do not sign in ask for no secrets.",
            "Give the server the secret in spec.env instead, if it needs it at all."),
    ASKS_FOR_CONVERSATION(
            MEDIUM,
            "No argument asks for the conversation or the system prompt.",
            "Find out what the server does with it."),
    UNEXPLAINED_ARGUMENT(
            LOW,
            "Arguments that can take any text say what they are for.",
            "Have the server describe the argument, or remove it."),
    ANNOTATION_CONTRADICTION(
            MEDIUM,
            "Annotations agree with what names and descriptions say.",
            "Have the server correct the annotation; do not rely on it until then."),
    REMOTE_REFERENCE(
            MEDIUM,
            "Schemas refer to nothing outside of themselves.",
            "Have the server include what the reference names: nothing is fetched."),
    ICON_SOURCE(
            MEDIUM,
            "Icons come over https or are images in data URIs.",
            "Have the server change the source of the icon."),
    DATA_LINK(
            MEDIUM,
            "No image of a text has an address that carries data.",
            "Have the server remove the image: showing it sends the data."),
    UNSAFE_INTEGER(
            LOW,
            "Integers are at most 2^53, which all programs read alike.",
            "Have the server use a smaller number or a string."),
    MIXED_SCRIPT_NAME(
            HIGH,
            "Names do not mix scripts whose letters look alike.",
            "Compare the name with those of other servers before you use the tool."),
    LOOK_ALIKE_NAME(
            HIGH,
            "No name looks like that of a tool of another server.",
            "Make sure which of the two tools an agent should call."),
    DUPLICATE_TOOL(
            LOW,
            "No tool has the name and the description of a tool of another server.",
            "Make sure that both servers are meant to be here."),
    FOREIGN_TOOL_NAME(
            MEDIUM,
            "No text names a tool that only another server has.",
            "Find out what the tool has to do with the other server."),
    NOT_EXAMINED(
            MEDIUM,
            "Definitions are short enough to be examined as a whole.",
            "Have the server shorten the definition.");

    private final FindingSeverity severity;
    private final String rule;
    private final String remedy;

    FindingRule(FindingSeverity severity, String rule, String remedy) {
        this.severity = severity;
        this.rule = rule;
        this.remedy = remedy;
    }

    /** Returns the id in kebab-case. */
    public String id() {
        return name().toLowerCase(Locale.ROOT).replace('_', '-');
    }

    /** Returns the usual severity of its findings; single findings can differ. */
    public FindingSeverity severity() {
        return severity;
    }

    /** Returns what holds when nothing is found, as a sentence. */
    public String rule() {
        return rule;
    }

    /** Returns what to do about a finding, as a sentence. */
    public String remedy() {
        return remedy;
    }

    /** Returns the rule of this id. */
    public static Optional<FindingRule> find(String id) {
        return Arrays.stream(values()).filter(rule -> rule.id().equals(id)).findFirst();
    }
}
