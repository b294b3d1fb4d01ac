package dev.orloj.cli.client;

import dev.orloj.cli.importing.Surroundings;
import dev.orloj.cli.output.Console;

import java.util.HashMap;
import java.util.Map;
import java.util.Optional;

/** Asks the person at the terminal, if there is one. The same question is asked once. */
public final class Prompt {

    private final Console console;
    private final Map<String, Optional<String>> answers = new HashMap<>();

    public Prompt(Console console) {
        this.console = console;
    }

    boolean isPossible() {
        return console.isInteractive();
    }

    /** Returns the answer; empty without a terminal. */
    public Optional<String> ask(Surroundings.Input input) {
        if (!isPossible()) {
            return Optional.empty();
        }
        return answers.computeIfAbsent(
                input.id(),
                _ -> {
                    String usual =
                            input.fallback().isEmpty() || input.isPassword()
                                    ? ""
                                    : " [" + input.fallback() + "]";
                    String question = input.description() + usual + ": ";
                    return input.isPassword() ? hidden(question) : visible(question);
                });
    }

    Optional<String> visible(String question) {
        return console.ask(question);
    }

    private Optional<String> hidden(String question) {
        java.io.Console terminal = System.console();
        if (terminal == null) {
            return visible(question);
        }
        console.err().print(question);
        console.err().flush();
        char[] answer = terminal.readPassword();
        return answer == null ? Optional.empty() : Optional.of(new String(answer).strip());
    }
}
