// SPDX-License-Identifier: Apache-2.0
package io.headpond.pmem;

import java.util.Optional;
import java.util.concurrent.atomic.AtomicBoolean;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Chooses the persist back end of a device. */
public final class Persist {
  /** One warning per process; the reason is in every status anyway. */
  private static final AtomicBoolean WARNED = new AtomicBoolean();

  private Persist() {}

  /** The back end of a device. */
  public static PersistBackend choose(Device device) {
    return decide(device).backend();
  }

  /** As {@link #choose}, with the reason. */
  public static PersistChoice decide(Device device) {
    return decide(device, false);
  }

  /**
   * The same for tests and experiments.
   *
   * @param mapsMemory is memory mapped, as if it were DAX?
   */
  public static PersistChoice decide(Device device, boolean mapsMemory) {
    if (device.inMemory() && mapsMemory) {
      return new PersistChoice(PersistBackend.NONE, "memory, mapped as if it were DAX");
    }
    PersistChoice choice = decide(device, Mapper.libpmemUnavailable(), WriteBack.unsafeReason());
    if (device.dax() && worthWarning(choice.backend())) {
      if (WARNED.compareAndSet(false, true)) {
        Log.LOG.warn(
            "{}: a slower persist back end, '{}': {}",
            device.directory(),
            choice.backend().key(),
            choice.reason());
      }
    }
    return choice;
  }

  /** On Java 17 to 21 there is nothing to repair as long as write-back works. */
  private static boolean worthWarning(PersistBackend chosen) {
    return chosen == PersistBackend.WRITE
        || chosen == PersistBackend.JEP352 && Runtime.version().feature() >= 22;
  }

  static PersistChoice decide(
      Device device, Optional<String> libpmemUnavailable, Optional<String> writeBackUnsafe) {
    if (device.inMemory()) {
      return new PersistChoice(
          PersistBackend.WRITE,
          device.fileSystemType()
              + " is memory: nothing can make it durable, and mapping new pages costs more than"
              + " writing them");
    }
    if (!device.dax()) {
      return new PersistChoice(
          PersistBackend.WRITE, device.fileSystemType() + " is not mounted with DAX");
    }
    if (libpmemUnavailable.isEmpty()) {
      return new PersistChoice(PersistBackend.LIBPMEM, "DAX, and libpmem is there");
    }
    if (writeBackUnsafe.isEmpty()) {
      return new PersistChoice(
          PersistBackend.JEP352, "DAX, without libpmem: " + libpmemUnavailable.get());
    }
    return new PersistChoice(
        PersistBackend.WRITE,
        "DAX, but without libpmem ("
            + libpmemUnavailable.get()
            + ") and without cache-line write-back ("
            + writeBackUnsafe.get()
            + ")");
  }

  /** The reason why a mapping can't be stored to in a way; empty: it can. */
  public static Optional<String> unavailable(Device device, PersistBackend backend) {
    String noDax = device.fileSystemType() + " there takes no MAP_SYNC mapping";
    return switch (backend) {
      case LIBPMEM ->
          device.dax() || device.inMemory() ? Mapper.libpmemUnavailable() : Optional.of(noDax);
      case JEP352 -> device.dax() ? WriteBack.unsafeReason() : Optional.of(noDax);
      case NONE ->
          device.inMemory()
              ? Optional.empty()
              : Optional.of("it would lose acknowledged bytes; it is for tmpfs and ramfs only");
      case DSYNC, WRITE -> Optional.of("it maps nothing");
    };
  }

  /** Made at the first line logged: a broker's logging may not be up when this class is loaded. */
  private static final class Log {
    static final Logger LOG = LoggerFactory.getLogger(Persist.class);
  }
}
