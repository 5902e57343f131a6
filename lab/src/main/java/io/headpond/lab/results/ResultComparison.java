// SPDX-License-Identifier: Apache-2.0
package io.headpond.lab.results;

import io.headpond.cli.console.CommandFailure;
import io.headpond.cli.console.Units;
import io.headpond.lab.results.Change.Verdict;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.TreeSet;

/**
 * Two results of the same benchmark.
 *
 * @param differences of machine, versions, devices and settings, in words; empty: none
 * @param changes of the figures that both have, in A's order
 * @param unmatched figures and ratios that only one of them has
 */
record ResultComparison(
    BenchResult a, BenchResult b, List<String> differences, List<Change> changes, int unmatched) {

  /** Settings that may differ: more values of the same thing may be compared with fewer. */
  private static final Set<String> REPETITIONS = Set.of("rounds", "starts", "switches");

  static ResultComparison of(BenchResult a, BenchResult b) {
    if (!a.bench().equals(b.bench())) {
      throw new CommandFailure(
          "A is of '" + a.bench() + "' and B of '" + b.bench() + "'",
          "compare results of the same benchmark");
    }
    List<Series> ofA = Series.of(a.figures());
    List<Series> ofB = Series.of(b.figures());
    List<Series[]> pairs = new ArrayList<>();
    for (Series one : ofA) {
      ofB.stream()
          .filter(one::sameAs)
          .findFirst()
          .ifPresent(same -> pairs.add(new Series[] {one, same}));
    }
    if (pairs.isEmpty()) {
      throw new CommandFailure(
          "A and B have no figure in common", "compare results of the same loads and variants");
    }
    return new ResultComparison(
        a, b, differences(a, b), Change.of(pairs), ofA.size() + ofB.size() - 2 * pairs.size());
  }

  private static List<String> differences(BenchResult a, BenchResult b) {
    List<String> found = new ArrayList<>();
    BenchMachine mine = a.machine();
    BenchMachine other = b.machine();
    difference(found, "processor", mine.processor(), other.processor());
    difference(found, "number of processors", mine.processors(), other.processors());
    difference(found, "memory", Units.bytes(mine.memoryBytes()), Units.bytes(other.memoryBytes()));
    difference(found, "virtual machine", mine.virtual(), other.virtual());
    difference(found, "kernel", mine.kernel(), other.kernel());
    difference(found, "architecture", mine.architecture(), other.architecture());
    differences(found, "version of ", a.versions(), b.versions());
    differences(found, "device of ", a.devices(), b.devices());
    differences(found, "--", a.settings(), b.settings());
    return found;
  }

  private static void differences(
      List<String> found, String what, Map<String, String> a, Map<String, String> b) {
    Set<String> names = new TreeSet<>(a.keySet());
    names.addAll(b.keySet());
    names.removeAll(REPETITIONS);
    names.forEach(name -> difference(found, what + name, a.get(name), b.get(name)));
  }

  private static void difference(List<String> found, String what, Object a, Object b) {
    if (!Objects.equals(a, b)) {
      found.add(what + ": " + told(a) + " in A, " + told(b) + " in B");
    }
  }

  private static String told(Object value) {
    return value == null || value.equals("") ? "not given" : value.toString();
  }

  /** The number of the figures that decide and have this verdict. */
  int count(Verdict verdict) {
    return (int) changes.stream().filter(c -> c.a().decides() && c.verdict() == verdict).count();
  }

  int deciding() {
    return (int) changes.stream().filter(c -> c.a().decides()).count();
  }
}
