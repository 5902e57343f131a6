// SPDX-License-Identifier: Apache-2.0
package io.headpond.store;

import java.io.IOException;
import java.nio.channels.ClosedByInterruptException;
import java.nio.file.FileSystemException;
import java.nio.file.Path;
import java.util.EnumSet;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.concurrent.ConcurrentHashMap;
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

  /** Why it fails, in the words of the C library. */
  enum Reason {
    INPUT_OUTPUT("Input/output error", EnumSet.allOf(Call.class)),
    NO_SPACE(
        "No space left on device",
        EnumSet.of(
            Call.CREATE, Call.WRITE, Call.FORCE, Call.MAKE_DIRECTORY, Call.LINK, Call.RENAME)),
    /** It fails, and an interrupt of the engine's thread comes at the same time. */
    INTERRUPTED("Input/output error", EnumSet.of(Call.FORCE));

    final String words;
    private final Set<Call> calls;

    Reason(final String words, final Set<Call> calls) {
      this.words = words;
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

  /** What the thread is called that does what an engine does. */
  static final String ENGINE = "engine";

  private static final int CALLERS_MAX = 4;

  private final Map<Class<?>, Boolean> product = new ConcurrentHashMap<>();
  private final StackWalker stack =
      StackWalker.getInstance(StackWalker.Option.RETAIN_CLASS_REFERENCE);
  private final Map<Site, Integer> counts = new TreeMap<>();
  private boolean counting;
  private Fault fault;
  private Path failing;
  private boolean struck;

  /** Counts from now on; the call will fail, if there is one. */
  synchronized void begin(final Fault planned) {
    counting = true;
    fault = planned;
  }

  /** From now on nothing fails. */
  synchronized void heal() {
    fault = null;
    failing = null;
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
    final Reason reason = reason(call, device);
    if (reason == null) {
      return;
    }
    if (reason == Reason.INTERRUPTED && Thread.currentThread().getName().equals(ENGINE)) {
      Thread.currentThread().interrupt();
      throw new ClosedByInterruptException(); // which hides what the device says
    }
    switch (call) {
      case STORE -> throw new InternalError("a fault occurred in a recent unsafe memory access");
      case READ, WRITE, FORCE, TRUNCATE, SIZE, MAP -> throw new IOException(reason.words);
      default -> throw new FileSystemException(path.toString(), null, reason.words);
    }
  }

  private synchronized Reason reason(final Call call, final Path device) {
    if (!counting) {
      return null;
    }
    final String caller = caller();
    if (caller.isEmpty()) {
      return null; // a test looks at something
    }
    final Site site = new Site(call, caller);
    final int number = counts.merge(site, 1, Integer::sum);
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

  private String caller() {
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

  private boolean isProduct(final Class<?> type) {
    return product.computeIfAbsent(
        type,
        each ->
            each.getName().startsWith("io.headpond.")
                && !each.getProtectionDomain()
                    .getCodeSource()
                    .getLocation()
                    .getPath()
                    .contains("test-classes"));
  }
}
