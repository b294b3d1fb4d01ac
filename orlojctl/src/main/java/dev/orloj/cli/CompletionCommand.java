package dev.orloj.cli;

import dev.orloj.cli.command.Command;
import dev.orloj.cli.command.Context;
import dev.orloj.cli.command.ExitCode;
import dev.orloj.cli.command.TextsOption;
import dev.orloj.cli.command.UsageException;

import java.util.List;
import java.util.Map;

/** Writes a script that makes a shell ask {@link CompleteCommand} for what may come next. */
final class CompletionCommand extends Command {

    static final List<String> SHELLS = List.of("bash", "zsh", "fish", "powershell");

    private static final Map<String, String> SCRIPTS =
            Map.of(
                    "bash",
                    """
                    # bash completion of orlojctl
                    _orlojctl() {
                      local IFS=$'\\n'
                      COMPREPLY=($(orlojctl __complete -- "${COMP_WORDS[@]:1:COMP_CWORD-1}" \\
                          "=${COMP_WORDS[COMP_CWORD]}" 2>/dev/null))
                    }
                    complete -o default -F _orlojctl orlojctl
                    """,
                    "zsh",
                    """
                    #compdef orlojctl
                    _orlojctl() {
                      local -a candidates
                      candidates=(${(f)"$(orlojctl __complete -- "${words[@]:1:$((CURRENT - 2))}" \\
                          "=${words[CURRENT]}" 2>/dev/null)"})
                      if (( ${#candidates} )); then compadd -- $candidates; else _files; fi
                    }
                    (( $+functions[compdef] )) || { autoload -U compinit && compinit }
                    compdef _orlojctl orlojctl
                    """,
                    "fish",
                    """
                    # fish completion of orlojctl
                    function __orlojctl_complete
                      set -l words (commandline -opc)
                      orlojctl __complete -- $words[2..-1] "="(commandline -ct) 2>/dev/null
                    end
                    complete -c orlojctl -a '(__orlojctl_complete)'
                    """,
                    "powershell",
                    """
                    # PowerShell completion of orlojctl
                    Register-ArgumentCompleter -Native -CommandName orlojctl -ScriptBlock {
                      param($word, $line, $position)
                      $words = @($line.CommandElements | Select-Object -Skip 1 | ForEach-Object { "$_" })
                      if ($word -ne '') { $words = @($words | Select-Object -SkipLast 1) }
                      orlojctl __complete -- @words "=$word" 2>$null | ForEach-Object {
                        [System.Management.Automation.CompletionResult]::new($_)
                      }
                    }
                    """);

    private final TextsOption arguments = arguments("1", "SHELL", "bash, zsh, fish or powershell.");

    CompletionCommand() {
        super(
                "Print a script that completes commands, options, and names of the server.",
                "source <(orlojctl completion bash)",
                "source <(orlojctl completion zsh)",
                "orlojctl completion fish > ~/.config/fish/completions/orlojctl.fish",
                "orlojctl completion powershell | Out-String | Invoke-Expression");
    }

    @Override
    public int run(Context context) {
        String shell = arguments.get().getFirst();
        String script = SCRIPTS.get(shell);
        if (script == null) {
            throw new UsageException(
                    "no completion for \"%s\"; one of %s"
                            .formatted(shell, String.join(", ", SHELLS)));
        }
        context.out().print(script);
        return ExitCode.OK;
    }
}
