// SPDX-License-Identifier: Apache-2.0
package io.headpond.cli.doctor;

import io.headpond.cli.logdir.DeviceAnswer;
import io.headpond.cli.logdir.SharedDisk;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.regex.Pattern;

/** The findings, each with a verdict and, where something should change, the exact command. */
final class Diagnosis {
  private final List<Item> items = new ArrayList<>();

  /** The severity of a finding. */
  enum Level {
    /** As it should be. */
    OK,
    /** It works; faster or safer is possible. */
    ADVICE,
    /** Bytes may be lost here that the operator may believe to be safe. */
    WARNING,
    /** It can't work like this. */
    WRONG;

    String key() {
      return name().toLowerCase(Locale.ROOT);
    }
  }

  /**
   * One verdict.
   *
   * @param level how bad it is
   * @param subject what was looked at
   * @param finding what it is, and what that means
   * @param remedy the command or setting that changes it; empty if nothing needs to change
   */
  record Item(Level level, String subject, String finding, String remedy) {
    private static final Pattern CODED = Pattern.compile("HP\\d{4} .*", Pattern.DOTALL);

    /** The finding, with its subject in front unless it is a code's text, which names it itself. */
    String sentence() {
      return CODED.matcher(finding).matches() ? finding : subject + ": " + finding;
    }
  }

  void ok(String subject, String finding) {
    items.add(new Item(Level.OK, subject, finding, ""));
  }

  void advice(String subject, String finding, String remedy) {
    items.add(new Item(Level.ADVICE, subject, finding, remedy));
  }

  void warning(String subject, String finding, String remedy) {
    items.add(new Item(Level.WARNING, subject, finding, remedy));
  }

  void wrong(String subject, String finding, String remedy) {
    items.add(new Item(Level.WRONG, subject, finding, remedy));
  }

  /**
   * Says which directories don't answer.
   *
   * @return true if there is one: whoever asks more of it waits for ever
   */
  boolean silent(Collection<Path> directories) {
    boolean any = false;
    for (Path directory : directories) {
      Optional<String> silence = DeviceAnswer.silence(directory);
      silence.ifPresent(what -> wrong(directory.toString(), what, DeviceAnswer.FROZEN));
      any |= silence.isPresent();
    }
    return any;
  }

  /** Says that a configuration was read, and nothing more was looked at. */
  void leftOut(String configuration) {
    advice(
        configuration,
        "nothing else was checked, because a directory that it names doesn't answer",
        "mend what is wrong, then run this again");
  }

  /** Warns of a fast directory that lies on the disk of what it should be faster than. */
  void sameDisk(Path fast, Path slow, String slowName) {
    SharedDisk.below(fast, slow)
        .ifPresent(
            what ->
                warning(
                    fast.toString(),
                    "lies on " + what + " as the " + slowName + " " + slow + ": nothing is gained",
                    "mount the fast device there, or name its directory"));
  }

  /** True if something is wrong with the subject already. */
  boolean wrongAbout(String subject) {
    return items.stream()
        .anyMatch(item -> item.level() == Level.WRONG && item.subject().equals(subject));
  }

  List<Item> items() {
    return List.copyOf(items);
  }

  long count(Level level) {
    return items.stream().filter(item -> item.level() == level).count();
  }
}
