package dev.orloj.api.ledger;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

import java.util.List;

class RunningCodeTest {

    private static RunningCode mail(String named, String version) {
        return RunningCode.named(named)
                .with(RunningCode.PACKAGE, "name", "mail")
                .with(RunningCode.PACKAGE, "version", version)
                .with(RunningCode.PACKAGE, "integrity", "sha512-of" + version);
    }

    private static List<String> changes(RunningCode before, RunningCode after) {
        return RunningCode.changes(before.fields(), after.fields());
    }

    @Test
    void changeNamesWhatItWasAndIs() {
        assertThat(changes(mail("npx mail", "1.0"), mail("npx mail", "1.1")))
                .containsExactly("package mail 1.0 sha512-of1.0 is now mail 1.1 sha512-of1.1");
        assertThat(changes(mail("npx mail", "1.0"), mail("npx mail", "1.0"))).isEmpty();
    }

    @Test
    void whatTheManifestNamesAnewIsNoChange() {
        assertThat(changes(mail("npx mail@1.0", "1.0"), mail("npx mail@1.1", "1.1"))).isEmpty();
    }

    @Test
    void whatWasNotKnownIsNoChangeAndWhatIsNoLongerKnownIsOne() {
        RunningCode unknown = RunningCode.named("npx mail");
        assertThat(changes(unknown, mail("npx mail", "1.1"))).isEmpty();
        assertThat(changes(mail("npx mail", "1.0"), unknown))
                .containsExactly("package mail 1.0 sha512-of1.0 is now not known");
    }

    @Test
    void valuesAreShortAndOnOneLine() {
        RunningCode odd =
                RunningCode.named("npx mail").with(RunningCode.PACKAGE, "version", "1\n2");
        assertThat(odd.fields().at("/package/version").asString()).isEqualTo("1?2");
        assertThat(odd.with(RunningCode.IMAGE, "digest", "x".repeat(201))).isEqualTo(odd);
    }

    @ParameterizedTest
    @CsvSource({
        "npx -y mail@1.0 /data, npx mail@1.0",
        "npx -y mail /data --verbose, npx mail",
        "/opt/mail --port 80, /opt/mail",
        "python3 -S server.py a.json, python3 server.py",
        "python3 -m server, python3",
        "docker run mail, docker",
        "uvx --from git+https://t0ken@host/x mail, uvx git+https://host/***"
    })
    void manifestNamesTheCommandAndItsPackageOrScript(String command, String named) {
        assertThat(CommandLine.named(List.of(command.split(" ")))).isEqualTo(named);
    }
}
