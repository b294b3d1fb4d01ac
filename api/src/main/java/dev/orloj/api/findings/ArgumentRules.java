package dev.orloj.api.findings;

import tools.jackson.databind.JsonNode;

import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;

/** Finds arguments that ask for secrets, for the conversation, or for any text without a reason. */
final class ArgumentRules {

    private static final Set<String> GRAVE_SECRETS =
            Set.of(
                    "private_key",
                    "ssh_key",
                    "ssh_private_key",
                    "seed_phrase",
                    "mnemonic",
                    "recovery_phrase",
                    "credit_card",
                    "card_number",
                    "cvv",
                    "cvc",
                    "ssn",
                    "social_security_number",
                    "otp",
                    "mfa_code",
                    "passwords",
                    "credentials",
                    "user_credentials",
                    "env_vars",
                    "environment_variables",
                    "cookies");

    private static final Set<String> SECRETS =
            Set.of(
                    "password",
                    "passwd",
                    "passphrase",
                    "secret",
                    "api_key",
                    "apikey",
                    "access_token",
                    "auth_token",
                    "api_token",
                    "bearer_token",
                    "secret_key",
                    "client_secret",
                    "session_token",
                    "refresh_token",
                    "aws_secret_access_key");

    /** Tools of which one expects that they take secrets. */
    private static final Set<String> ABOUT_SECRETS =
            Set.of(
                    "auth",
                    "authenticate",
                    "login",
                    "signin",
                    "sign",
                    "connect",
                    "credential",
                    "credentials",
                    "password",
                    "passwords",
                    "secret",
                    "secrets",
                    "token",
                    "tokens",
                    "vault",
                    "key",
                    "keys",
                    "encrypt",
                    "decrypt",
                    "wallet",
                    "unlock",
                    "account",
                    "user",
                    "register",
                    "env",
                    "environment",
                    "variable",
                    "variables",
                    "cookie",
                    "cookies",
                    "ssh",
                    "payment",
                    "card",
                    "connection",
                    "database",
                    "config",
                    "configure",
                    "otp",
                    "mfa",
                    "verify",
                    "form",
                    "fill");

    private static final Set<String> CONVERSATION =
            Set.of(
                    "conversation",
                    "conversation_history",
                    "full_conversation",
                    "chat_history",
                    "message_history",
                    "all_messages",
                    "previous_messages",
                    "system_prompt",
                    "full_context",
                    "conversation_context",
                    "model_context",
                    "chat_transcript",
                    "conversation_log",
                    "entire_conversation",
                    "previous_conversation",
                    "prompt_history",
                    "user_prompt_history",
                    "tool_call_history");

    private static final Set<String> ABOUT_CONVERSATIONS =
            Set.of(
                    "conversation",
                    "conversations",
                    "chat",
                    "message",
                    "messages",
                    "transcript",
                    "llm",
                    "completion",
                    "completions",
                    "prompt",
                    "agent",
                    "assistant",
                    "model",
                    "generate");

    private static final Set<String> SINKS =
            Set.of(
                    "sidenote",
                    "side_note",
                    "debug_info",
                    "debug_data",
                    "internal_note",
                    "internal_notes",
                    "scratchpad",
                    "extra_context",
                    "additional_context",
                    "telemetry",
                    "trace_info",
                    "audit_note",
                    "audit_info",
                    "sync_data",
                    "analytics",
                    "diagnostics",
                    "system_info",
                    "env_info",
                    "hidden",
                    "reserved");

    private static final Set<String> VAGUE =
            Set.of("context", "notes", "note", "extra", "metadata", "misc", "info", "feedback");

    private static final int SHORTEST_EXPLANATION = 12;

    private ArgumentRules() {}

    static void examine(
            Definition definition, List<DefinitionTexts.Argument> arguments, FindingList findings) {
        Set<String> about =
                Words.of(
                                definition.name()
                                        + " "
                                        + definition.content().path("title").asString(""),
                                true)
                        .stream()
                        .map(Words.Word::text)
                        .collect(Collectors.toSet());
        for (DefinitionTexts.Argument argument : arguments) {
            String name = normal(argument.name());
            secret(argument, name, about, findings);
            conversation(argument, name, about, findings);
            sink(argument, name, findings);
        }
    }

    private static String normal(String name) {
        return Words.of(name, true).stream().map(Words.Word::text).collect(Collectors.joining("_"));
    }

    private static void secret(
            DefinitionTexts.Argument argument,
            String name,
            Set<String> about,
            FindingList findings) {
        boolean isGrave = GRAVE_SECRETS.contains(name);
        if (!isGrave && !SECRETS.contains(name)) {
            return;
        }
        boolean isExpected = about.stream().anyMatch(ABOUT_SECRETS::contains);
        if (!isExpected) {
            findings.add(
                    FindingRule.ASKS_FOR_SECRET,
                    isGrave ? FindingSeverity.MEDIUM : FindingSeverity.LOW,
                    argument.pointer(),
                    "The argument \"%s\" asks for a secret".formatted(name));
        }
    }

    private static void conversation(
            DefinitionTexts.Argument argument,
            String name,
            Set<String> about,
            FindingList findings) {
        if (CONVERSATION.contains(name)) {
            boolean isExpected = about.stream().anyMatch(ABOUT_CONVERSATIONS::contains);
            findings.add(
                    FindingRule.ASKS_FOR_CONVERSATION,
                    isExpected ? FindingSeverity.LOW : FindingSeverity.MEDIUM,
                    argument.pointer(),
                    "The argument \"%s\" asks for what the model was told".formatted(name));
        }
    }

    private static void sink(DefinitionTexts.Argument argument, String name, FindingList findings) {
        boolean isSink = SINKS.contains(name);
        if (!isSink && !VAGUE.contains(name) || !takesText(argument.schema())) {
            return;
        }
        boolean isExplained =
                argument.schema().path("description").asString("").strip().length()
                        >= SHORTEST_EXPLANATION;
        if (isExplained && !(isSink && argument.isRequired())) {
            return;
        }
        findings.add(
                FindingRule.UNEXPLAINED_ARGUMENT,
                isSink ? FindingSeverity.MEDIUM : FindingSeverity.LOW,
                argument.pointer(),
                "The%s argument \"%s\" can take any text%s"
                        .formatted(
                                argument.isRequired() ? " required" : "",
                                name,
                                isExplained ? "" : " and does not say what for"));
    }

    private static boolean takesText(JsonNode schema) {
        JsonNode type = schema.path("type");
        return !schema.has("enum") && (type.isMissingNode() || type.toString().contains("string"));
    }
}
