package dev.orloj.api.testing;

import com.sun.source.tree.CompilationUnitTree;
import com.sun.source.tree.MethodTree;
import com.sun.source.tree.Tree;
import com.sun.source.tree.VariableTree;
import com.sun.source.util.JavacTask;
import com.sun.source.util.SourcePositions;
import com.sun.source.util.TreeScanner;
import com.sun.source.util.Trees;

import org.jspecify.annotations.Nullable;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Locale;

import javax.tools.JavaCompiler;
import javax.tools.StandardJavaFileManager;
import javax.tools.ToolProvider;

/** The rules of main code that only its source shows. */
final class SourceRules {

    static final int MAX_FILE_LINES = 400;
    static final int MAX_METHOD_LINES = 60;

    private SourceRules() {}

    /** Describes each place that breaks a rule. */
    static List<String> violations(Collection<Path> files) throws IOException {
        JavaCompiler compiler = ToolProvider.getSystemJavaCompiler();
        List<String> violations = new ArrayList<>();
        try (StandardJavaFileManager manager =
                compiler.getStandardFileManager(null, Locale.ROOT, StandardCharsets.UTF_8)) {
            JavacTask task =
                    (JavacTask)
                            compiler.getTask(
                                    null,
                                    manager,
                                    _ -> {},
                                    List.of("-proc:none"),
                                    null,
                                    manager.getJavaFileObjectsFromPaths(files));
            SourcePositions positions = Trees.instance(task).getSourcePositions();
            for (CompilationUnitTree unit : task.parse()) {
                new Check(unit, positions, violations).run();
            }
        }
        return violations;
    }

    private static final class Check extends TreeScanner<@Nullable Void, @Nullable Void> {

        private final CompilationUnitTree unit;
        private final SourcePositions positions;
        private final List<String> violations;

        Check(CompilationUnitTree unit, SourcePositions positions, List<String> violations) {
            this.unit = unit;
            this.positions = positions;
            this.violations = violations;
        }

        void run() {
            Path file = Path.of(unit.getSourceFile().toUri());
            try (var lines = Files.lines(file)) {
                long count = lines.count();
                if (count > MAX_FILE_LINES) {
                    violations.add(
                            "%s has %d lines, more than %d: give a part of it a type of its own"
                                    .formatted(file, count, MAX_FILE_LINES));
                }
            } catch (IOException e) {
                throw new UncheckedIOException(e);
            }
            scan(unit, null);
        }

        @Override
        public @Nullable Void visitMethod(MethodTree method, @Nullable Void unused) {
            long lines =
                    line(positions.getEndPosition(unit, method))
                            - line(positions.getStartPosition(unit, method))
                            + 1;
            if (lines > MAX_METHOD_LINES) {
                violations.add(
                        "%s: %s has %d lines, more than %d"
                                .formatted(
                                        place(method), method.getName(), lines, MAX_METHOD_LINES));
            }
            return super.visitMethod(method, unused);
        }

        /** Checks parameters and local variables too, which ArchUnit does not see. */
        @Override
        public @Nullable Void visitVariable(VariableTree variable, @Nullable Void unused) {
            String name = variable.getName().toString();
            PackageRules.inventedWords(name)
                    .forEach(
                            word ->
                                    violations.add(
                                            "%s: %s has \"%s\" in its name: use a word of MCP, Kubernetes or java.util.concurrent"
                                                    .formatted(place(variable), name, word)));
            if (name.startsWith("MOST_")) {
                violations.add(
                        "%s: %s: start the name of an upper limit with MAX_"
                                .formatted(place(variable), name));
            }
            return super.visitVariable(variable, unused);
        }

        private String place(Tree tree) {
            return "%s:%d"
                    .formatted(
                            Path.of(unit.getSourceFile().toUri()),
                            line(positions.getStartPosition(unit, tree)));
        }

        private long line(long position) {
            return unit.getLineMap().getLineNumber(position);
        }
    }
}
