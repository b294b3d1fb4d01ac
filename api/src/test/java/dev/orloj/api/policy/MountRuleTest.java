package dev.orloj.api.policy;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

import java.util.List;

class MountRuleTest {

    @ParameterizedTest
    @CsvSource({
        "/srv/data, /srv/data, true",
        "/srv/data, /srv/data/a, false",
        "/srv/data, /srv/database, false",
        "/srv/data, /srv, false",
        "/srv/data, /, false",
        "/srv/*, /srv/a, true",
        "/srv/*, /srv/a/b, false",
        "/srv/*, /srv, false",
        "/srv/*, /srv/.., false",
        "/srv/*, /srv/., false",
        "/srv/*/data, /srv/a/data, true",
        "/srv/*/data, /srv/a/b/data, false",
        "/srv/**, /srv/a/b, true",
        "/srv/**, /srv, false",
        "/srv/**, /srv/../etc, false",
        "/srv/**, /srv//etc, false",
        "/srv/**, /srvx/a, false",
        "/srv/**/data, /srv/a/b/data, true",
        "/srv/**/data, /srv/a/b/datas, false",
        "/**, /etc, true",
        "/**, /, false",
        "/**, etc, false",
        "/srv/a*b*c, /srv/axxbxbxc, true",
        "/srv/a*b*c, /srv/axxbxbxcd, false"
    })
    void starStaysWithinAFolderAndTwoStarsDoNot(String pattern, String folder, boolean allowed) {
        assertThat(new MountRule(List.of(pattern), null).objection(folder).isEmpty())
                .isEqualTo(allowed);
    }

    @Test
    void refusalNamesTheFoldersThatAreAllowed() {
        assertThat(new MountRule(List.of("/srv/a", "/srv/b/*"), null).objection("/etc"))
                .hasValue("allowed folders: /srv/a, /srv/b/*");
    }

    @Test
    void longPatternsTakeNoLongTime() {
        String folder = "/" + "a".repeat(4000);
        String pattern = "/" + "**a".repeat(300) + "b";

        assertThat(PathGlob.matches(pattern, folder)).isFalse();
    }
}
