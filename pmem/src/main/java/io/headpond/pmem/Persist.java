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

  /**
   * The back end for the device.
   *
   * @param named the one asked for by configuration; empty: the best that works here
   * @throws IllegalArgumentException if the named one can't work on this device or in this JVM; the
   *     message says what to change
   */
  public static PersistBackend choose(Device device, Optional<PersistBackend> named) {
    return decide(device, named).backend();
  }

  /** As {@link #choose}, with the reason. */
  public static PersistChoice decide(Device device, Optional<PersistBackend> named) {
    Optional<String> libpmemUnavailable = Mapper.libpmemUnavailable();
    Optional<String> writeBackUnsafe = WriteBack.unsafeReason();
    PersistChoice choice = decide(device, named, libpmemUnavailable, writeBackUnsafe);
    if (device.dax() && named.isEmpty() && worthWarning(choice.backend())) {
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
    return chosen == PersistBackend.MSYNC
        || chosen == PersistBackend.JEP352 && Runtime.version().feature() >= 22;
  }

  static PersistChoice decide(
      Device device,
      Optional<PersistBackend> named,
      Optional<String> libpmemUnavailable,
      Optional<String> writeBackUnsafe) {
    if (named.isPresent()) {
      PersistBackend backend = named.get();
      impossible(device, backend, libpmemUnavailable, writeBackUnsafe)
          .ifPresent(
              why -> {
                throw new IllegalArgumentException(
                    "persist back end '"
                        + backend.key()
                        + "' cannot be used for "
                        + device.directory()
                        + ": "
                        + why);
              });
      return new PersistChoice(backend, "named by configuration");
    }
    if (device.inMemory()) {
      return new PersistChoice(
          PersistBackend.WRITE,
          device.fileSystemType()
              + " is memory: nothing can make it durable, and mapping new pages costs more than"
              + " writing them");
    }
    if (!device.dax()) {
      return new PersistChoice(
          PersistBackend.MSYNC, device.fileSystemType() + " is not mounted with DAX");
    }
    if (libpmemUnavailable.isEmpty()) {
      return new PersistChoice(PersistBackend.LIBPMEM, "DAX, and libpmem is there");
    }
    if (writeBackUnsafe.isEmpty()) {
      return new PersistChoice(
          PersistBackend.JEP352, "DAX, without libpmem: " + libpmemUnavailable.get());
    }
    return new PersistChoice(
        PersistBackend.MSYNC,
        "DAX, but without libpmem ("
            + libpmemUnavailable.get()
            + ") and without cache-line write-back ("
            + writeBackUnsafe.get()
            + ")");
  }

  private static Optional<String> impossible(
      Device device,
      PersistBackend backend,
      Optional<String> libpmemUnavailable,
      Optional<String> writeBackUnsafe) {
    String noDax =
        device.fileSystemType()
            + " there takes no MAP_SYNC mapping; mount a file system on persistent memory with"
            + " '-o dax', or use ";
    return switch (backend) {
      case LIBPMEM ->
          device.dax() || device.inMemory() ? libpmemUnavailable : Optional.of(noDax + "'msync'");
      case JEP352 -> device.dax() ? writeBackUnsafe : Optional.of(noDax + "'msync'");
      case MSYNC -> Optional.empty();
      case DSYNC ->
          device.writesInPlace()
              ? Optional.empty()
              : Optional.of(
                  device.fileSystemType() + " isn't known to write in place; use ext4 or XFS");
      case NONE, WRITE ->
          device.inMemory()
              ? Optional.empty()
              : Optional.of("it would lose acknowledged bytes; it is for tmpfs and ramfs only");
    };
  }

  /** Made at the first line logged: a broker's logging may not be up when this class is loaded. */
  private static final class Log {
    static final Logger LOG = LoggerFactory.getLogger(Persist.class);
  }
}
