package dev.orloj.server.recorded;

import dev.orloj.server.recorded.Recorder.Asked;

import org.springframework.http.server.PathContainer;
import org.springframework.web.bind.annotation.RequestMethod;
import org.springframework.web.servlet.mvc.method.RequestMappingInfo;
import org.springframework.web.util.pattern.PathPattern;

import java.util.Collection;
import java.util.Comparator;
import java.util.HashSet;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Stream;

/**
 * The routes of a server, and which of them a list of requests leaves out.
 *
 * @param method of HTTP; any where it is empty
 */
record Routes(List<Route> routes) {

    record Route(String method, PathPattern pattern) {

        private static final Comparator<Route> CLOSEST =
                Comparator.comparing(Route::pattern, PathPattern.SPECIFICITY_COMPARATOR);

        boolean takes(Asked asked) {
            return (method.isEmpty() || method.equals(asked.method()))
                    && pattern.matches(PathContainer.parsePath(path(asked)));
        }
    }

    static Routes of(Collection<RequestMappingInfo> mappings) {
        return new Routes(mappings.stream().flatMap(Routes::of).toList());
    }

    private static Stream<Route> of(RequestMappingInfo mapping) {
        Set<RequestMethod> methods = mapping.getMethodsCondition().getMethods();
        List<String> names =
                methods.isEmpty() ? List.of("") : methods.stream().map(Enum::name).toList();
        return Objects.requireNonNull(mapping.getPathPatternsCondition()).getPatterns().stream()
                .flatMap(pattern -> names.stream().map(name -> new Route(name, pattern)));
    }

    /** Those to which none of the requests goes, as the server chooses among them. */
    Set<String> without(List<Asked> requests) {
        Set<Route> taken = new HashSet<>();
        for (Asked asked : requests) {
            routes.stream()
                    .filter(route -> route.takes(asked))
                    .min(Route.CLOSEST)
                    .ifPresent(taken::add);
        }
        Set<String> left = new TreeSet<>();
        for (Route route : routes) {
            if (!taken.contains(route)) {
                left.add((route.method() + " " + route.pattern()).strip());
            }
        }
        return left;
    }

    private static String path(Asked asked) {
        return asked.path().split("\\?", 2)[0];
    }
}
