// SPDX-License-Identifier: Apache-2.0
package io.headpond.lab.bookkeeper.rig;

import io.headpond.harness.process.Engine;
import io.headpond.harness.process.FolderRemoval;
import io.headpond.lab.bookkeeper.variant.JournalVariant;
import io.headpond.lab.scenario.Rig;
import io.headpond.lab.scenario.RigSettings;
import io.headpond.lab.scenario.Rigs;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Consumer;

/** Rigs of several variants, alike but for their bookies' journals. */
public abstract class JournalRigs implements Rigs {

  private static final String PREFIX = "headpond-bench-";
  private static final int KILLS_MAX = 100;
  private static final long KILL_EACH_MILLIS = 100;

  private final Engine engine;
  private final RigSettings settings;
  private final List<JournalVariant> variants;
  private final Consumer<String> progress;
  private final Path fast;
  private final Path home;
  private final List<Rig> rigs = new CopyOnWriteArrayList<>();
  private final ReentrantLock starting = new ReentrantLock();
  private volatile boolean closed;

  /**
   * Makes its folders; nothing runs yet.
   *
   * @param variants in the order in which they are started
   * @param progress told what goes on
   */
  protected JournalRigs(
      Engine engine, RigSettings settings, List<JournalVariant> variants, Consumer<String> progress)
      throws IOException {
    this.engine = engine;
    this.settings = settings;
    this.variants = List.copyOf(variants);
    this.progress = progress;
    this.fast = Files.createTempDirectory(settings.fast(), PREFIX);
    this.home = Files.createTempDirectory(settings.home(), PREFIX);
  }

  /** Starts what all variants share. */
  protected void startShared() throws IOException, InterruptedException {}

  /** Kills what {@link #startShared} started. */
  protected void closeShared() {}

  /**
   * The rig of a variant, not started.
   *
   * @param own a folder on disk
   */
  protected abstract Rig rig(JournalVariant variant, Path own) throws IOException;

  /** One after the other: side by side they would only wait for the same processors. */
  @Override
  public final List<Rig> start() throws IOException, InterruptedException {
    starting.lock();
    try {
      requireOpen();
      progress.accept("starting");
      startShared();
      for (JournalVariant variant : variants) {
        requireOpen();
        progress.accept(variant + ": starting");
        Rig rig = rig(variant, Files.createDirectories(home.resolve(variant.key())));
        rigs.add(rig);
        rig.start();
      }
      return List.copyOf(rigs);
    } finally {
      starting.unlock();
    }
  }

  private void requireOpen() throws InterruptedException {
    if (closed) {
      throw new InterruptedException("the benchmark was closed");
    }
  }

  /** The place of its rigs. */
  protected final RigSettings settings() {
    return settings;
  }

  /** Of all that belongs to these rigs on disk. */
  protected final Path home() {
    return home;
  }

  /** A journal directory of a variant, on its device; it isn't made. */
  protected final Path journal(JournalVariant variant, int number) {
    Path folder = variant.fast() ? fast : home;
    return folder.resolve("journal-" + variant.key() + "-" + number);
  }

  @Override
  public final String engine() {
    return engine.title();
  }

  @Override
  public final String version() {
    return settings.release().version();
  }

  @Override
  public final Map<String, String> places() throws IOException {
    return JournalVariant.places(variants, settings.fast(), settings.home());
  }

  @Override
  public final void close() throws IOException {
    closed = true;
    kill();
    awaitStarted();
    kill();
    FolderRemoval.remove(fast, true);
    FolderRemoval.remove(home, true);
  }

  /** Whoever is starting something is done with it, because that is killed. */
  private void awaitStarted() throws IOException {
    try {
      for (int kills = 0; kills < KILLS_MAX; kills++) {
        if (starting.tryLock(KILL_EACH_MILLIS, TimeUnit.MILLISECONDS)) {
          starting.unlock();
          return;
        }
        kill();
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  private void kill() throws IOException {
    for (Rig rig : rigs) {
      rig.close();
    }
    closeShared();
  }
}
