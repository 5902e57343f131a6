// SPDX-License-Identifier: Apache-2.0
package io.headpond.store;

import com.tngtech.archunit.core.domain.JavaMethodCall;
import com.tngtech.archunit.core.importer.ClassFileImporter;
import java.nio.file.Path;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.SortedMap;
import java.util.SortedSet;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.concurrent.CompletableFuture;
import java.util.function.Predicate;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** The calls in the product's byte code that change what lies on devices, or make it durable. */
public final class ProductCalls {
  private static final Pattern FORCE = Pattern.compile("force([A-Z].*)?");

  /** Where something else is forced than bytes and names. */
  private static final Set<String> OTHERS = Set.of("forceStep", "forceTimes");

  /** The calls that change something, by the class that has them. */
  private static final Map<String, Set<String>> CHANGES =
      Map.of(
          "java.nio.file.Files",
          Set.of(
              "createFile",
              "createDirectory",
              "createDirectories",
              "createSymbolicLink",
              "delete",
              "deleteIfExists",
              "move",
              "write"),
          "java.nio.channels.FileChannel",
          Set.of("write", "truncate", "force", "transferFrom"),
          "io.headpond.pmem.Window",
          Set.of("store"));

  /**
   * One call.
   *
   * @param type the simple name of the class that makes it
   * @param method that makes it, itself or in a lambda
   * @param line of the source
   * @param target what is called
   */
  public record Call(String type, String method, int line, String target) {
    /** The method that makes it. */
    String place() {
      return type + "." + method;
    }

    /** Is it among those that led here? */
    public boolean leadsHere() {
      return StackWalker.getInstance()
          .walk(
              frames ->
                  frames.anyMatch(
                      frame ->
                          frame.getLineNumber() == line
                              && ProductCalls.place(frame).equals(place())));
    }
  }

  private ProductCalls() {}

  /** As {@link Call#place}. */
  static String place(final StackWalker.StackFrame frame) {
    return simple(frame.getClassName()) + "." + method(frame.getMethodName());
  }

  private static String simple(final String type) {
    return type.substring(type.lastIndexOf('.') + 1);
  }

  /** A lambda's code belongs to the method that has it. */
  private static String method(final String name) {
    return name.startsWith("lambda$") ? name.split("\\$")[1] : name;
  }

  private static Stream<Call> calls(final Predicate<JavaMethodCall> kind, final Path... modules) {
    return new ClassFileImporter()
        .importPaths(modules).stream()
            .flatMap(type -> type.getMethodCallsFromSelf().stream())
            .filter(kind)
            .map(
                call ->
                    new Call(
                        simple(call.getOriginOwner().getName()),
                        method(call.getOrigin().getName()),
                        call.getLineNumber(),
                        call.getTargetOwner().getSimpleName() + "." + call.getName()))
            .distinct();
  }

  /**
   * The calls by which something is made durable: of a file, a mapping, a directory, or of one of
   * the product's own methods that does it. One that begins a force on another thread is made again
   * there.
   *
   * @param modules folders of classes
   * @return by names as {@code Type.method} or, of several in a method, {@code Type.method 2}
   */
  public static SortedMap<String, Call> forces(final Path... modules) {
    final Map<String, List<Call>> places =
        calls(ProductCalls::forces, modules).collect(Collectors.groupingBy(Call::place));
    final SortedMap<String, Call> named = new TreeMap<>();
    places.forEach(
        (place, calls) -> {
          calls.sort(Comparator.comparingInt(Call::line).thenComparing(Call::target));
          for (int i = 0; i < calls.size(); i++) {
            named.put(place + (i == 0 ? "" : " " + (i + 1)), calls.get(i));
          }
        });
    return named;
  }

  private static boolean forces(final JavaMethodCall call) {
    final String owner = call.getTargetOwner().getName();
    return FORCE.matcher(call.getName()).matches()
        && !OTHERS.contains(call.getName())
        && Stream.of("java.nio.", "io.headpond.").anyMatch(owner::startsWith)
        && !call.getTarget().getRawReturnType().isEquivalentTo(CompletableFuture.class);
  }

  /** The methods that change something on a device themselves, as {@link Call#place}. */
  static SortedSet<String> changing(final Path... modules) {
    return calls(
            call ->
                CHANGES
                    .getOrDefault(call.getTargetOwner().getName(), Set.of())
                    .contains(call.getName()),
            modules)
        .map(Call::place)
        .collect(Collectors.toCollection(TreeSet::new));
  }
}
