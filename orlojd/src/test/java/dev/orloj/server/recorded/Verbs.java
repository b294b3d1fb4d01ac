package dev.orloj.server.recorded;

import dev.orloj.server.recorded.Recorder.Asked;

import tools.jackson.databind.JsonNode;

import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Pattern;

/** What a server says in its discovery that it can do, and what a list of requests leaves out. */
final class Verbs {

    private static final String NAMESPACE = "(/namespaces/[^/?]+)?";
    private static final String NAME = "/[^/?]+";

    private Verbs() {}

    /**
     * @param path of an API, such as {@code /api/v1}
     * @param resources its {@code APIResourceList}
     */
    static Set<String> without(String path, JsonNode resources, List<Asked> requests) {
        Set<String> left = new TreeSet<>();
        for (JsonNode resource : resources.path("resources")) {
            String name = resource.path("name").asString();
            for (JsonNode verb : resource.path("verbs")) {
                Pattern wanted = wanted(path, name, verb.asString());
                if (requests.stream().noneMatch(asked -> isFor(asked, wanted))) {
                    left.add("%s of %s/%s".formatted(verb.asString(), path, name));
                }
            }
        }
        return left;
    }

    private static boolean isFor(Asked asked, Pattern wanted) {
        return asked.code() != 405 && wanted.matcher(asked.method() + " " + asked.path()).matches();
    }

    private static Pattern wanted(String path, String resource, String verb) {
        String[] parts = resource.split("/", 2);
        String collection = Pattern.quote(path) + NAMESPACE + "/" + parts[0];
        String item = collection + NAME + (parts.length > 1 ? "/" + parts[1] : "");
        String request =
                switch (verb) {
                    case "create" -> "POST " + (parts.length > 1 ? item : collection);
                    case "list" -> "GET " + collection;
                    case "watch" -> "GET " + collection + "\\?watch=1";
                    case "deletecollection" -> "DELETE " + collection;
                    case "get" -> "GET " + item;
                    case "update" -> "PUT " + item;
                    case "patch" -> "PATCH " + item;
                    case "delete" -> "DELETE " + item;
                    default -> throw new IllegalArgumentException(verb);
                };
        return Pattern.compile(request + "([?&].*)?");
    }
}
