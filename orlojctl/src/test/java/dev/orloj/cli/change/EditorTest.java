package dev.orloj.cli.change;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;

class EditorTest {

    @TempDir Path folder;

    /** An editor that goes on would keep the terminal, and whatever waits for its output. */
    @Test
    void editorEndsWithTheCommandThatIsInterrupted() throws Exception {
        Path edited = Files.createFile(folder.resolve("edited"));
        Editor editor =
                new Editor(Map.of("EDITOR", "echo $$ > " + folder.resolve("pid") + "; tail -f"));
        Thread command =
                Thread.ofPlatform()
                        .uncaughtExceptionHandler((_, _) -> {})
                        .start(() -> editor.edit(edited));
        Path pid = folder.resolve("pid");
        await().until(() -> Files.exists(pid) && Files.size(pid) > 0);
        ProcessHandle shell =
                ProcessHandle.of(Long.parseLong(Files.readString(pid).strip())).orElseThrow();
        await().until(() -> shell.children().findAny().isPresent());
        ProcessHandle program = shell.children().findAny().orElseThrow();

        command.interrupt();
        command.join();

        await().until(() -> !shell.isAlive() && !program.isAlive());
        assertThat(edited).exists();
    }
}
