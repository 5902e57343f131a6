// SPDX-License-Identifier: Apache-2.0
package io.headpond.store;

import io.headpond.pmem.Background;
import io.headpond.store.config.ConfigException;
import io.headpond.store.event.PlainText;
import io.headpond.store.event.StoreRefusedException;
import io.headpond.store.facts.TimeSource;
import io.headpond.store.layout.TierAnswer;
import io.headpond.store.layout.TierRequest;
import io.headpond.store.tier.DeviceThreads;
import java.io.IOException;
import java.util.Map;
import java.util.Optional;
import java.util.UUID;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import java.util.function.Function;
import java.util.stream.Stream;

/**
 * The works that operators have asked for, one at a time for each tier, what they are told of them,
 * and the threads that wait for the tiers' devices. Any thread.
 */
final class TierWorks implements AutoCloseable {
  /** Instead of a name, of the tier that comes: no tier has it. */
  static final String JOINING = "";

  /** Something that asks a tier's devices. */
  interface Examination {
    /** Text for an operator. */
    String run() throws ConfigException, IOException;
  }

  /** The last operation on a tier. */
  private static final class Work {
    private final UUID request;
    private final long sinceNanos;

    /** True while its device is being asked, and nobody may begin anything else with it. */
    private volatile boolean busy;

    private volatile TierAnswer answer;

    Work(final TierAnswer first, final long sinceNanos) {
      request = first.id();
      answer = first;
      this.sinceNanos = sinceNanos;
    }
  }

  private final DeviceThreads<String> threads;
  private final TimeSource time;

  /** By the tier's name. */
  private final Map<String, Work> works = new ConcurrentHashMap<>();

  TierWorks(final Background background, final TimeSource time) {
    threads = new DeviceThreads<>(background, "headpond-tier", 1, 1);
    this.time = time;
  }

  static TierAnswer refused(final TierRequest request, final String why) {
    return TierAnswer.of(request.id(), TierAnswer.State.REFUSED, why);
  }

  static TierAnswer done(final UUID request, final String what) {
    return TierAnswer.of(request, TierAnswer.State.DONE, what);
  }

  /** The reason why nothing can be begun with a tier now; empty: there is none. */
  String busy(final String tier) {
    final Work now = works.get(tier);
    return now == null || !now.busy
        ? ""
        : "a device is being examined for another command, and hasn't answered for "
            + TimeUnit.NANOSECONDS.toSeconds(time.nanos() - now.sinceNanos)
            + " s";
  }

  /** A work is begun, or done already. */
  TierAnswer begin(final String tier, final TierAnswer first) {
    works.put(tier, new Work(first, time.nanos()));
    return first;
  }

  /** The answer to a request that was begun, as it stands now. */
  TierAnswer answer(final TierRequest request) {
    return Stream.of(request.tier(), JOINING)
        .map(works::get)
        .filter(work -> work != null && work.request.equals(request.id()))
        .map(work -> work.answer)
        .findFirst()
        .orElseGet(
            () ->
                TierAnswer.of(
                    request.id(),
                    TierAnswer.State.FAILED,
                    "another command has asked for something else since; headpond status shows the"
                        + " tier"));
  }

  /** The request that a tier's last work was begun for. */
  Optional<UUID> request(final String tier) {
    return Optional.ofNullable(works.get(tier)).map(work -> work.request);
  }

  /**
   * A tier's work has come further, if it hasn't ended.
   *
   * @param asked the request that it was begun for; another one since isn't told
   */
  void tell(
      final String tier, final Optional<UUID> asked, final Function<UUID, TierAnswer> answer) {
    final Work work = works.get(tier);
    if (work != null && asked.equals(Optional.of(work.request)) && !work.answer.state().last()) {
      work.answer = answer.apply(work.request);
    }
  }

  /** Examines devices on a thread of a tier's own. */
  TierAnswer examine(final String tier, final TierAnswer first, final Examination what) {
    final Work work = new Work(first, time.nanos());
    works.put(tier, work);
    work.busy = true;
    boolean begun = false;
    try {
      threads.of(tier).execute(() -> examine(work, what));
      begun = true;
    } finally {
      if (!begun) {
        work.busy = false;
      } // else its own end does that
    }
    return work.answer;
  }

  private static void examine(final Work work, final Examination what) {
    TierAnswer.State state = TierAnswer.State.FAILED;
    String text = "an error that the broker's log has";
    try {
      text = what.run();
      state = TierAnswer.State.DONE;
    } catch (final ConfigException e) {
      text = e.getMessage();
      state = TierAnswer.State.REFUSED;
    } catch (final StoreRefusedException | IOException e) {
      text = PlainText.reason(e);
    } finally {
      work.answer = TierAnswer.of(work.request, state, text);
      work.busy = false;
    }
  }

  /** Does something with a tier's devices, unless something hasn't returned from them. */
  void executeIfIdle(final String tier, final Runnable task) {
    threads.executeIfIdle(tier, task);
  }

  /** Begins nothing more. Doesn't wait: a device may never answer. */
  @Override
  public void close() {
    threads.shutdown();
  }
}
