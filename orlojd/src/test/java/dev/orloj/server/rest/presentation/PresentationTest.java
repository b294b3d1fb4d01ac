package dev.orloj.server.rest.presentation;

import static org.assertj.core.api.Assertions.assertThat;

import dev.orloj.server.rest.HttpProbe;
import dev.orloj.server.rest.HttpProbe.Answer;
import dev.orloj.server.rest.RestServer;

import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class PresentationTest {

    private static final String TABLE =
            "application/json;as=Table;v=v1;g=meta.k8s.io,application/json";
    private static final String PARTIAL =
            "application/json;as=PartialObjectMetadataList;g=meta.k8s.io;v=v1";

    private final HttpProbe http = RestServer.shared().probe();
    private String tools = "";

    @BeforeEach
    void oneTool() {
        tools =
                "/apis/orloj.dev/v1/namespaces/%s/tools"
                        .formatted(RestServer.shared().freshNamespace());
        http.post(tools, "{\"metadata\": {\"name\": \"a\"}, \"spec\": {\"description\": \"d\"}}");
    }

    @Test
    void tableHasNameFirstAndAgeLast() {
        Answer table = http.get(tools, "Accept", TABLE);

        assertThat(table.at("/kind")).isEqualTo("Table");
        assertThat(table.at("/columnDefinitions/0/name")).isEqualTo("Name");
        assertThat(table.at("/columnDefinitions/0/format")).isEqualTo("name");
        int columns = table.json().path("columnDefinitions").size();
        assertThat(table.at("/columnDefinitions/" + (columns - 1) + "/name")).isEqualTo("Age");
        assertThat(table.json().at("/rows/0/cells")).hasSize(columns);
        assertThat(table.at("/rows/0/cells/0")).isEqualTo("a");
        assertThat(table.at("/rows/0/cells/" + (columns - 1))).matches("\\d+s");
    }

    @ParameterizedTest
    @CsvSource({
        "'', PartialObjectMetadata",
        "Metadata, PartialObjectMetadata",
        "Object, Tool",
        "None, ''"
    })
    void rowsCarryWhatIsAskedFor(String include, String kind) {
        Answer table = http.get(tools + "?includeObject=" + include, "Accept", TABLE);

        assertThat(table.at("/rows/0/object/kind")).isEqualTo(kind);
    }

    @Test
    void singleResourceIsATableOfOneRow() {
        assertThat(http.get(tools + "/a", "Accept", TABLE).json().path("rows")).hasSize(1);
    }

    @Test
    void metadataComesWithoutTheRest() {
        Answer list = http.get(tools, "Accept", PARTIAL);

        assertThat(list.at("/kind")).isEqualTo("PartialObjectMetadataList");
        assertThat(list.at("/items/0/kind")).isEqualTo("PartialObjectMetadata");
        assertThat(list.json().at("/items/0").has("spec")).isFalse();
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            textBlock =
                    """
                    */*                                                             | 200
                    application/*                                                   | 200
                    text/html, application/json;q=0.5                               | 200
                    application/vnd.kubernetes.protobuf,application/json            | 200
                    application/vnd.kubernetes.protobuf                             | 406
                    application/json;as=Table;v=v9;g=meta.k8s.io                    | 406
                    application/json;q=0                                            | 406
                    text/html                                                       | 406
                    """)
    void firstFormThatThereIsWins(String accept, int code) {
        assertThat(http.get(tools, "Accept", accept).code()).isEqualTo(code);
    }
}
