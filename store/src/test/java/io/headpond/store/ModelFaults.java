// SPDX-License-Identifier: Apache-2.0
package io.headpond.store;

import java.io.IOException;
import java.nio.channels.ClosedByInterruptException;
import java.nio.file.FileSystemException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Predicate;
import java.util.stream.Collectors;

/**
 * The calls that the product makes of simulated devices: they are counted, and one of them fails
 * when told to. A call is known by what it is, by the methods that make it, and by how many the
 * same methods have made before; which thread comes first is left to chance. Any thread.
 */
final class ModelFaults {
  /** What a device is asked. */
  enum Call {
    OPEN,
    CREATE,
    READ,
    WRITE,
    FORCE,
    TRUNCATE,
    SIZE,
    MAKE_DIRECTORY,
    LINK,
    READ_LINK,
    DELETE,
    RENAME,
    LIST,
    ATTRIBUTES,
    SET_ATTRIBUTES,
    SPACE,
    MAP,
    /** Into a mapping, before anything is written back. */
    STORE
  }

  /** Why it fails, in the words of the C library, which depend on the language. */
  enum Reason {
    INPUT_OUTPUT(
        EnumSet.allOf(Call.class),
        "Input/output error",
        "Eingabe-/Ausgabefehler",
        "Girdi/Çıktı hatası",
        "入出力エラーです"),
    NO_SPACE(
        EnumSet.of(
            Call.CREATE, Call.WRITE, Call.FORCE, Call.MAKE_DIRECTORY, Call.LINK, Call.RENAME),
        "No space left on device",
        "Auf dem Gerät ist kein Speicherplatz mehr verfügbar",
        "Aygıt üzerinde boş yer kalmadı",
        "デバイスに空き領域がありません"),
    /** While the file system names free bytes. */
    QUOTA(
        EnumSet.noneOf(Call.class),
        "Disk quota exceeded",
        "Der zugewiesene Plattenplatz (Quota) ist überschritten",
        "Disk kotası aşıldı",
        "ディスク使用量制限を超過しました"),
    /** It fails, and an interrupt of the engine's thread comes at the same time. */
    INTERRUPTED(
        EnumSet.of(Call.FORCE),
        "Input/output error",
        "Eingabe-/Ausgabefehler",
        "Girdi/Çıktı hatası",
        "入出力エラーです");

    /** One for each language. */
    final List<String> words;

    private final Set<Call> calls;

    Reason(final Set<Call> calls, final String... words) {
      this.words = List.of(words);
      this.calls = calls;
    }

    boolean concerns(final Call call) {
      return calls.contains(call);
    }
  }

  /**
   * Who asks for what.
   *
   * @param caller the innermost methods of the product, innermost first
   */
  record Site(Call call, String caller) implements Comparable<Site> {
    @Override
    public int compareTo(final Site other) {
      return toString().compareTo(other.toString());
    }

    @Override
    public String toString() {
      return call + " by " + caller;
    }
  }

  /**
   * One call that fails.
   *
   * @param number of the calls of the same site, from 1 on
   * @param lasting does whatever the device is asked fail from then on, as far as the reason
   *     concerns it?
   */
  record Fault(Site site, int number, Reason reason, boolean lasting) {
    @Override
    public String toString() {
      return reason + (lasting ? " from " : " at ") + site + ", the " + number + ". time";
    }
  }

  /** All that can happen to so many calls of a site. */
  static List<Fault> faults(final Site site, final int count) {
    final List<Fault> faults = new ArrayList<>();
    for (int number = 1; number <= count; number++) {
      for (final Reason reason : Reason.values()) {
        if (reason.concerns(site.call())) {
          faults.add(new Fault(site, number, reason, false));
          if (reason != Reason.INTERRUPTED) { // nobody interrupts a thread for ever
            faults.add(new Fault(site, number, reason, true));
          }
        }
      }
    }
    return faults;
  }

  /** What the thread is called that does what an engine does. */
  static final String ENGINE = "engine";

  private static final int CALLERS_MAX = 4;

  /** What a device that can only be read refuses, besides the opening of a file for writing. */
  private static final Set<Call> CHANGES =
      EnumSet.of(
          Call.CREATE,
          Call.WRITE,
          Call.FORCE,
          Call.TRUNCATE,
          Call.MAKE_DIRECTORY,
          Call.LINK,
          Call.DELETE,
          Call.RENAME,
          Call.SET_ATTRIBUTES);

  private final Map<Class<?>, Boolean> product = new ConcurrentHashMap<>();
  private final StackWalker stack =
      StackWalker.getInstance(StackWalker.Option.RETAIN_CLASS_REFERENCE);
  private final Map<Site, Integer> counts = new TreeMap<>();
  private boolean counting;

  /** So many forces are left until one fails; 0: none will. */
  private int forcesUntil;

  private Predicate<Path> forced = path -> true;

  private Predicate<Path> unreadable = path -> false;

  private Fault fault;
  private Path failing;
  private boolean struck;
  private int language;

  /** What a device refuses until it is healed. */
  private record Lasting(Path device, Reason reason, Set<Call> calls) {}

  /** Null: nothing. */
  private Lasting lasting;

  /** The device on which nothing is opened for writing; null: there is none. */
  private Path readOnly;

  /** The device whose changes are counted; null: none is. */
  private Path changing;

  private int changesLeft;
  private Runnable afterChanges;

  /** The device that has just refused for want of room; null: there is some. */
  private Path full;

  /** Counts from now on; the call will fail, if there is one. */
  synchronized void begin(final Fault planned) {
    counting = true;
    fault = planned;
  }

  /** Chooses the language of the devices' errors. */
  synchronized void speak(final long seed) {
    language = Math.floorMod(seed, Reason.NO_SPACE.words.size());
  }

  private synchronized String words(final Reason reason) {
    return reason.words.get(language);
  }

  /** Has a device no room just now? It has when something that needs some has succeeded. */
  synchronized boolean full(final Path device) {
    return device.equals(full);
  }

  /** One of the forces from now on fails, of those of such files or directories. */
  synchronized void failForce(final int number, final Predicate<Path> such) {
    counting = true;
    forcesUntil = number;
    forced = such;
  }

  /** Until it is healed nothing is read from such files. */
  synchronized void failReads(final Predicate<Path> such) {
    unreadable = such;
  }

  /** From now on a device has no room for anything. */
  synchronized void fill(final Path device) {
    lasting = new Lasting(device, Reason.NO_SPACE, Reason.NO_SPACE.calls);
    full = device;
  }

  /** From now on a device has no room for bytes of files; what is left is enough for names. */
  synchronized void fillFiles(final Path device) {
    lasting = new Lasting(device, Reason.NO_SPACE, Set.of(Call.WRITE));
    full = device;
  }

  /** From now on a quota refuses these calls. */
  synchronized void exceedQuota(final Path device, final Call... calls) {
    lasting = new Lasting(device, Reason.QUOTA, Set.of(calls));
    full = null;
  }

  /** From now on a device does nothing any more. */
  synchronized void breakDown(final Path device) {
    breakDown(device, Call.CREATE, Call.WRITE, Call.FORCE, Call.SET_ATTRIBUTES);
  }

  /** From now on a device doesn't do this any more. */
  synchronized void breakDown(final Path device, final Call... calls) {
    lasting = new Lasting(device, Reason.INPUT_OUTPUT, Set.of(calls));
    full = null;
  }

  /** From now on a device can only be read, as the kernel sees to after an error of its journal. */
  synchronized void makeReadOnly(final Path device) {
    lasting = new Lasting(device, Reason.INPUT_OUTPUT, CHANGES);
    readOnly = device;
  }

  /**
   * Does something to a device after so many changes of it.
   *
   * @param then asks for what fails from then on
   */
  synchronized void after(final int changes, final Path device, final Runnable then) {
    changing = device;
    changesLeft = changes;
    afterChanges = then;
  }

  /** The product changes a device, or opens a file of it to do so. */
  private void changes(final Path device) {
    if (device.equals(changing) && changesLeft-- == 0) {
      afterChanges.run();
    }
  }

  /** The changes that are left until then; negative: it was done. */
  synchronized int changesLeft() {
    return changesLeft;
  }

  /** A file that is there is about to be opened for writing. */
  synchronized void beforeWriter(final Path device, final Path path) throws IOException {
    if (caller().isEmpty()) {
      return; // a test looks at something
    }
    changes(device);
    if (device.equals(readOnly)) {
      throw new FileSystemException(path.toString(), null, words(Reason.INPUT_OUTPUT));
    }
  }

  /** From now on nothing fails. */
  synchronized void heal() {
    lasting = null;
    readOnly = null;
    changing = null;
    fault = null;
    unreadable = path -> false;
    forcesUntil = 0;
    failing = null;
    full = null;
  }

  /** Neither counts nor fails any more. */
  synchronized void end() {
    heal();
    counting = false;
  }

  /** Did the call fail? */
  synchronized boolean struck() {
    return struck;
  }

  /** The calls so far. */
  synchronized Map<Site, Integer> counts() {
    return new TreeMap<>(counts);
  }

  /**
   * Comes before each call.
   *
   * @param device the root of the device
   */
  void before(final Call call, final Path device, final Path path) throws IOException {
    final Reason reason = reason(call, device, path);
    if (reason == null) {
      return;
    }
    if (reason == Reason.INTERRUPTED && Thread.currentThread().getName().equals(ENGINE)) {
      Thread.currentThread().interrupt();
      throw new ClosedByInterruptException(); // which hides what the device says
    }
    switch (call) {
      case STORE -> throw new InternalError("a fault occurred in a recent unsafe memory access");
      case READ, WRITE, FORCE, TRUNCATE, SIZE, MAP -> throw new IOException(words(reason));
      default -> throw new FileSystemException(path.toString(), null, words(reason));
    }
  }

  private synchronized Reason reason(final Call call, final Path device, final Path path) {
    final Reason reason = planned(call, device, path);
    if (reason == Reason.NO_SPACE) {
      full = device;
    } else if (lasting == null && device.equals(full) && Reason.NO_SPACE.concerns(call)) {
      full = null;
    }
    return reason;
  }

  private Reason planned(final Call call, final Path device, final Path path) {
    if (changing != null && CHANGES.contains(call) && !caller().isEmpty()) {
      changes(device);
    }
    if (lasting != null && device.equals(lasting.device)) {
      return lasting.calls.contains(call) && !caller().isEmpty() ? lasting.reason : null;
    }
    if (call == Call.READ && unreadable.test(path) && !caller().isEmpty()) {
      return Reason.INPUT_OUTPUT;
    }
    if (!counting) {
      return null;
    }
    final String caller = caller();
    if (caller.isEmpty()) {
      return null; // a test looks at something
    }
    final Site site = new Site(call, caller);
    final int number = counts.merge(site, 1, Integer::sum);
    if (call == Call.FORCE && forcesUntil > 0 && forced.test(path) && --forcesUntil == 0) {
      struck = true;
      return Reason.INPUT_OUTPUT;
    }
    if (failing != null) {
      return failing.equals(device) && fault.reason.concerns(call) ? fault.reason : null;
    }
    if (fault == null || struck || number != fault.number || !site.equals(fault.site)) {
      return null;
    }
    struck = true;
    failing = fault.lasting ? device : null;
    return fault.reason;
  }

  /** The innermost methods of the product that led here, innermost first; empty: none did. */
  String caller() {
    return stack.walk(
        frames ->
            frames
                .filter(frame -> isProduct(frame.getDeclaringClass()))
                .limit(CALLERS_MAX)
                .map(
                    frame ->
                        frame.getDeclaringClass().getSimpleName() + "." + frame.getMethodName())
                .collect(Collectors.joining(" < ")));
  }

  /** What else makes calls that may fail, as a part of an engine that a test plays. */
  void count(final Class<?> player) {
    product.put(player, true);
  }

  private boolean isProduct(final Class<?> type) {
    return product.computeIfAbsent(
        type, each -> each.getName().startsWith("io.headpond.") && !isTest(each));
  }

  /** Another module finds the tests in a directory or in an archive, as its build was called. */
  private static boolean isTest(final Class<?> type) {
    final String place = type.getProtectionDomain().getCodeSource().getLocation().getPath();
    return place.contains("test-classes") || place.endsWith("-tests.jar");
  }
}
