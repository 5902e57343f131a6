// SPDX-License-Identifier: Apache-2.0
package io.headpond.cli.doctor;

import io.headpond.cli.logdir.EngineLock;
import io.headpond.cli.logdir.EngineLock.Holder;
import io.headpond.cli.logdir.HomeRoom;
import io.headpond.pmem.Mount;
import io.headpond.store.claim.Access;
import io.headpond.store.claim.StartCheck;
import io.headpond.store.claim.StartCheck.Effect;
import io.headpond.store.claim.StartCheck.Finding;
import io.headpond.store.config.StoreConfig;
import io.headpond.store.config.TierConfig;
import io.headpond.store.event.EventCode;
import io.headpond.store.event.PlaceCodes;
import io.headpond.store.event.ProcessUser;
import io.headpond.store.event.StartCodes;
import io.headpond.store.event.StoreRefusedException;
import io.headpond.store.home.HomeSpace;
import io.headpond.store.layout.HomeIdentity;
import io.headpond.store.layout.Identity;
import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.file.FileSystemException;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.UUID;
import java.util.function.Predicate;

/**
 * Checks what a broker's start with a configuration would be refused for, in the words of the
 * refusal. Leaves everything as it is; beside a running broker it leaves out what can't be judged
 * there.
 */
final class BrokerStart {
  private static final DirectoryUse USE = DirectoryUse.SEGMENTS;

  private static final String LEFT_OUT =
      "; a start leaves this log directory out and goes on with the others ("
          + StartCodes.HOME_REFUSED.code()
          + ")";

  private final StoreConfig config;
  private final Diagnosis diagnosis;

  /** The processes that hold log directories. */
  private final Map<Path, Holder> running = new LinkedHashMap<>();

  BrokerStart(StoreConfig config, Diagnosis diagnosis) {
    this.config = config;
    this.diagnosis = diagnosis;
  }

  void check() {
    config.logDirs().forEach(this::logDir);
    unreadConfiguration();
    twice();
    StartCheck start = new StartCheck(config);
    Map<Path, Boolean> right = new LinkedHashMap<>(); // by log directory whose links were checked
    for (Path logDir : config.logDirs()) {
      if (!running.containsKey(logDir) && start.reachesLinks(logDir)) {
        right.put(logDir, start.links(logDir));
      }
    }
    start.findings().forEach(each -> tell(each, start));
    config.logDirs().forEach(logDir -> links(logDir, right.get(logDir)));
    for (TierConfig tier : config.tiers()) {
      for (Path path : tier.paths()) {
        if (Files.isDirectory(path) && !diagnosis.wrongAbout(path.toString())) {
          tier(tier, path);
        }
      }
    }
  }

  /** Is it there, may this user write there, and does a broker? */
  private void logDir(Path logDir) {
    String subject = logDir.toString();
    if (Files.isDirectory(logDir)) {
      Optional<Holder> holder = holder(logDir.resolve(EngineLock.ENGINE_FILE), subject);
      holder.ifPresent(broker -> running.put(logDir, broker));
      if (holder.isEmpty()) {
        List<Path> lock = List.of(logDir.resolve(EngineLock.ENGINE_FILE));
        notWritable(
            logDir,
            lock,
            first -> true,
            why -> StartCodes.HOME_UNREAD.words(logDir, why, Access.DEVICE));
        ownedByAnother(
            logDir, lock, why -> StartCodes.HOME_UNREAD.words(logDir, why, Access.DEVICE));
      }
      full(logDir);
    } else if (Files.isSymbolicLink(logDir) && !Files.exists(logDir)) {
      diagnosis.wrong(
          subject,
          "is a link that leads nowhere",
          "mount the disk that it leads to, or correct log.dirs");
    } else if (Files.exists(logDir, LinkOption.NOFOLLOW_LINKS)) {
      diagnosis.wrong(subject, "isn't a directory", "correct log.dirs");
    } else {
      missing(subject);
    }
  }

  /**
   * Says whether its disk has no room for what an append writes there, nor ballast to make some.
   */
  private void full(Path logDir) {
    try {
      long free = Files.getFileStore(logDir).getUsableSpace();
      if (free + HomeRoom.ballastBytes(logDir) < HomeSpace.ENGINE_BYTES) {
        EventCode.Words words = PlaceCodes.HOME_SPENT.words(logDir, free);
        diagnosis.wrong(logDir.toString(), words.finding(), words.remedy());
      }
    } catch (IOException unknown) {
      return; // who can't ask it can't write there either, which was said
    }
  }

  private void missing(String logDir) {
    String remedy =
        "if its disk isn't mounted, mount it before the start; if it is new: kafka-storage.sh"
            + " format --ignore-formatted --cluster-id ID --config FILE";
    if (config.engineHasRoles()) {
      diagnosis.wrong(logDir, "isn't there, and Kafka ends at its start for that", remedy);
    } else {
      diagnosis.warning(
          logDir,
          "isn't there; Kafka without ZooKeeper ends at its start for that, with it makes an empty"
              + " one",
          remedy);
    }
  }

  /** Kafka's own rule. */
  private void twice() {
    Map<Path, Path> names = new HashMap<>();
    for (Path logDir : config.logDirs()) {
      try {
        Path other = names.putIfAbsent(logDir.toRealPath(), logDir);
        if (other != null) {
          diagnosis.wrong(
              logDir.toString(),
              "is the same log directory as " + other + ", and Kafka takes none twice",
              "name it once in log.dirs");
        }
      } catch (IOException notThere) {
        continue; // which was said
      }
    }
  }

  /**
   * Says whether its links are right.
   *
   * @param right null: they weren't checked
   */
  private void links(Path logDir, Boolean right) {
    String subject = logDir.toString();
    Holder broker = running.get(logDir);
    if (broker != null) {
      diagnosis.ok(
          subject,
          "is in use by "
              + broker
              + ", which is left alone; its links aren't looked at here: 'headpond verify "
              + logDir
              + "' does that beside a broker");
    } else if (right == null && Files.isDirectory(logDir)) {
      diagnosis.advice(
          subject,
          "its links weren't checked, because a start doesn't get as far as that",
          "mend what is wrong, then run this again");
    } else if (right != null && right) {
      diagnosis.ok(subject, "a start would take it over: its identity and its links are right");
    }
  }

  private void tell(Finding finding, StartCheck start) {
    String subject = finding.directory().toString();
    EventCode.Words words = finding.words();
    switch (finding.effect()) {
      case WARNING -> diagnosis.warning(subject, words.finding(), words.remedy());
      case LOG_DIR_LEFT_OUT ->
          diagnosis.wrong(
              subject, words.finding() + (othersGoOn(start) ? LEFT_OUT : ""), words.remedy());
      case START_REFUSED ->
          diagnosis.wrong(
              subject,
              words.finding(),
              words.remedy()
                  + (finding.mayBeNew()
                          && !Files.exists(finding.directory(), LinkOption.NOFOLLOW_LINKS)
                      ? " New: " + DirectoryReport.make(finding.directory(), owner())
                      : ""));
    }
  }

  private boolean othersGoOn(StartCheck start) {
    return config.logDirs().stream()
        .anyMatch(
            logDir ->
                Files.isDirectory(logDir)
                    && start.findings().stream()
                        .noneMatch(
                            each ->
                                each.effect() == Effect.LOG_DIR_LEFT_OUT
                                    && each.directory().equals(logDir)));
  }

  /** The holder of the lock, and this user's right to it. */
  private void tier(TierConfig tier, Path path) {
    String subject = path.toString();
    Path lock = path.resolve(EngineLock.TIER_FILE);
    Optional<Holder> holder = holder(lock, subject);
    if (holder.isPresent() && running.containsValue(holder.get())) {
      diagnosis.ok(subject, "is in use by " + holder.get() + ", which has the log directories too");
      readOnlyBelow(tier, path);
    } else if (holder.isPresent() && mayRun(holder.get())) {
      diagnosis.ok(
          subject,
          "is in use by " + holder.get() + ", probably the broker that has the log directories");
      readOnlyBelow(tier, path);
    } else if (holder.isPresent()) {
      EventCode.Words words = StartCodes.TIER_IN_USE.words(tier.name(), path, holder.get());
      diagnosis.wrong(subject, words.finding(), words.remedy());
    } else {
      if (!running.isEmpty()) {
        diagnosis.advice(
            subject,
            "isn't in use, though a log directory is: its broker was started without Headpond, or"
                + " with another configuration",
            "start it again with " + config.source());
      }
      List<Path> needed = neededBy(path);
      List<Path> inner = new ArrayList<>(needed);
      inner.addAll(writtenTo(path));
      notWritable(
          path,
          inner,
          needed::contains,
          why -> StartCodes.TIER_UNREAD.words(tier.name(), path, why, Access.DEVICE));
      ownedByAnother(
          path, inner, why -> StartCodes.TIER_UNREAD.words(tier.name(), path, why, Access.DEVICE));
    }
  }

  /** Btrfs, overlays and other process namespaces don't show whose a lock is. */
  private boolean mayRun(Holder holder) {
    return running.values().stream()
        .anyMatch(broker -> broker.pid().isEmpty() || holder.pid().isEmpty());
  }

  /** A running broker lives through that; its next start doesn't get the lock. */
  private void readOnlyBelow(TierConfig tier, Path path) {
    if (readOnly(path)) {
      EventCode.Words words =
          StartCodes.TIER_UNREAD.words(
              tier.name(), path, "its file system is read-only", Access.WRITABLE);
      diagnosis.wrong(
          path.toString(),
          words.finding() + "; the broker that runs goes on, its next start is refused",
          words.remedy());
    }
  }

  /** What of a tier a start must write to; without the rest it goes on. */
  private List<Path> neededBy(Path tier) {
    List<Path> needed = new ArrayList<>();
    needed.add(there(tier.resolve(EngineLock.TIER_FILE)));
    if (!Files.exists(tier.resolve(Identity.FILE_NAME))) {
      needed.add(tier);
    }
    for (Path logDir : config.logDirs()) {
      Path segments = HomeIdentity.segments(tier);
      Optional<UUID> home = homeId(logDir);
      Path made = home.isPresent() ? segments.resolve(home.get().toString()) : segments;
      if (home.isEmpty() || !Files.exists(made)) {
        needed.add(there(made));
      }
    }
    return needed;
  }

  /** A path, or the nearest one above it that is there. */
  private static Path there(Path path) {
    return Files.exists(path) ? path : there(path.getParent());
  }

  private static Optional<UUID> homeId(Path logDir) {
    try {
      return HomeIdentity.read(logDir).map(HomeIdentity::id);
    } catch (IOException | StoreRefusedException saidAlready) {
      return Optional.empty();
    }
  }

  /** A tier's lock, and the folders of these log directories' segments and orphans. */
  private List<Path> writtenTo(Path tier) {
    List<UUID> homes = new ArrayList<>();
    config.logDirs().forEach(logDir -> homeId(logDir).ifPresent(homes::add));
    List<Path> found = new ArrayList<>(List.of(tier.resolve(EngineLock.TIER_FILE)));
    for (Path folder : List.of(HomeIdentity.segments(tier), HomeIdentity.quarantine(tier))) {
      found.add(folder);
      homes.forEach(home -> found.add(folder.resolve(home.toString())));
    }
    return found;
  }

  /** Says what root can't see by trying. */
  private void ownedByAnother(Path directory, List<Path> inner, Refusal refusal) {
    for (Path logDir : config.logDirs()) {
      Optional<HomeOwner> owner = HomeOwner.withoutRight(logDir, directory, inner);
      if (owner.isPresent()) {
        String why = "a broker that runs as " + owner.get().name() + " has no right to write there";
        owner.get().warn(directory, refusal.words(why), USE, diagnosis);
        return;
      }
    }
  }

  /** The same of the configuration, which ends the broker before it has begun. */
  private void unreadConfiguration() {
    Path file = Path.of(config.source());
    for (Path logDir : config.logDirs()) {
      Optional<HomeOwner> owner = HomeOwner.unableToRead(logDir, file);
      if (owner.isPresent()) {
        diagnosis.warning(
            file.toString(),
            "a broker that runs as "
                + owner.get().name()
                + ", to whom "
                + logDir
                + " belongs, has no right to read it, and ends at its start",
            owner.get().ifItRunsSo(USE)
                + "chgrp "
                + owner.get().group()
                + " '"
                + file
                + "' && chmod g+r '"
                + file
                + "'");
        return;
      }
    }
  }

  private interface Refusal {
    EventCode.Words words(String why);
  }

  /**
   * Says so if a directory, or what lies in it, can't be written to.
   *
   * @param needed is a start refused without a right to write there?
   */
  private void notWritable(
      Path directory, List<Path> inner, Predicate<Path> needed, Refusal refusal) {
    Path first =
        inner.stream()
            .filter(each -> Files.exists(each) && !Files.isWritable(each))
            .findFirst()
            .orElse(directory);
    Optional<IOException> failure = trial(first);
    if (failure.isEmpty()) {
      return;
    }
    String subject = directory.toString();
    if (readOnly(directory)) {
      diagnosis.wrong(
          subject,
          refusal.words("its file system is mounted read-only").finding(),
          Access.WRITABLE);
    } else if (failure.get() instanceof FileSystemException e && Files.isWritable(first)) {
      EventCode.Words words = refusal.words(e.getFile() + ": " + e.getReason());
      diagnosis.wrong(subject, words.finding(), words.remedy());
    } else {
      String why = "this user, " + ProcessUser.name() + ", has no right to write to " + first;
      String remedy = "run as " + USE.engine + "'s user" + orOwn(directory, first);
      if (needed.test(first)) {
        diagnosis.wrong(subject, refusal.words(why).finding(), remedy);
      } else {
        diagnosis.warning(
            subject,
            why
                + ": a start goes on, but can't put there what it would: new segments, counters for"
                + " 'headpond status', or what goes to quarantine",
            remedy);
      }
    }
  }

  /** The command that gives it to a broker's user; nothing if it has it already. */
  private String orOwn(Path directory, Path first) {
    String owner = owner();
    if (HomeOwner.of(first).filter(owner::equals).isPresent()) {
      return "";
    }
    return ", or: "
        + (first.equals(directory)
            ? DirectoryReport.chown(first, owner)
            : DirectoryReport.chownAll(directory, owner));
  }

  private String owner() {
    return HomeOwner.userAndGroup(config.logDirs(), USE);
  }

  /**
   * A file system that went read-only by an error doesn't show it until something is written. The
   * file has no name any more when it is open, so nothing stays if this process is killed.
   */
  private static Optional<IOException> trial(Path first) {
    try {
      if (Files.isDirectory(first)) {
        FileChannel.open(
                first.resolve(".headpond-doctor-" + UUID.randomUUID()),
                StandardOpenOption.WRITE,
                StandardOpenOption.CREATE_NEW,
                StandardOpenOption.DELETE_ON_CLOSE)
            .close();
      } else {
        FileChannel.open(first, StandardOpenOption.WRITE).close();
      }
      return Optional.empty();
    } catch (IOException e) {
      return Optional.of(e);
    }
  }

  private static boolean readOnly(Path directory) {
    try {
      return Mount.of(directory).readOnly();
    } catch (IOException unknown) {
      return false;
    }
  }

  private Optional<Holder> holder(Path lock, String subject) {
    try {
      return EngineLock.holder(lock);
    } catch (IOException e) {
      diagnosis.warning(
          subject,
          "can't tell whether a broker runs: " + e.getMessage(),
          "run as " + USE.engine + "'s user");
      return Optional.empty();
    }
  }
}
