// SPDX-License-Identifier: Apache-2.0
package io.headpond.systemtests;

import com.tngtech.archunit.core.domain.Dependency;
import com.tngtech.archunit.core.domain.JavaClass;
import com.tngtech.archunit.core.domain.JavaClasses;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.HashMap;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;

/**
 * Groups of classes that need one another, directly or not: the strongly connected components of
 * the dependencies between top-level classes. A nested class counts as the one that it lies in.
 */
final class ClassKnots {
  private final Map<String, Set<String>> needs = new TreeMap<>();
  private final Map<String, Set<String>> reached = new HashMap<>();

  /** Looks at fields, signatures, calls and type tests in the classes' bytecode. */
  ClassKnots(final JavaClasses classes) {
    for (final JavaClass each : classes) {
      final Set<String> of = needs.computeIfAbsent(topLevel(each), name -> new TreeSet<>());
      for (final Dependency dependency : each.getDirectDependenciesFromSelf()) {
        of.add(topLevel(dependency.getTargetClass()));
      }
    }
    needs.values().forEach(of -> of.retainAll(needs.keySet()));
    needs.keySet().forEach(each -> reached.put(each, reachedFrom(each)));
  }

  private static String topLevel(final JavaClass nested) {
    final String name = nested.getBaseComponentType().getName();
    final int dollar = name.indexOf('$');
    return dollar < 0 ? name : name.substring(0, dollar);
  }

  private Set<String> reachedFrom(final String start) {
    final Set<String> found = new TreeSet<>();
    final Deque<String> next = new ArrayDeque<>(needs.get(start));
    while (!next.isEmpty()) {
      final String each = next.pop();
      if (found.add(each)) {
        next.addAll(needs.get(each));
      }
    }
    return found;
  }

  /** The largest group; a class that needs nobody who needs it is a group of one. */
  Set<String> largest() {
    Set<String> largest = Set.of();
    for (final String each : needs.keySet()) {
      final Set<String> group = new TreeSet<>(Set.of(each));
      for (final String other : reached.get(each)) {
        if (reached.get(other).contains(each)) {
          group.add(other);
        }
      }
      largest = group.size() > largest.size() ? group : largest;
    }
    return largest;
  }
}
