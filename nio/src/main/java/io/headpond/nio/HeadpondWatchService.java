// SPDX-License-Identifier: Apache-2.0
package io.headpond.nio;

import java.io.IOException;
import java.lang.ref.WeakReference;
import java.nio.file.Path;
import java.nio.file.WatchEvent;
import java.nio.file.WatchKey;
import java.nio.file.WatchService;
import java.util.Map;
import java.util.WeakHashMap;
import java.util.concurrent.TimeUnit;

/**
 * Wraps the built-in watch service, so that keys and events hold wrapped paths.
 *
 * <p>The built-in service hands out one key object per directory, and callers compare keys by
 * identity, so the wrapper of a key is remembered for as long as a caller holds it, and what was
 * registered for as long as the key lives: never more entries than there are keys. Any thread.
 */
final class HeadpondWatchService implements WatchService {
  private final HeadpondFileSystem fileSystem;
  private final WatchService service;
  private final Map<WatchKey, Registered> keys = new WeakHashMap<>();

  private record Registered(Path directory, WeakReference<HeadpondWatchKey> wrapper) {}

  HeadpondWatchService(final HeadpondFileSystem fileSystem, final WatchService service) {
    this.fileSystem = fileSystem;
    this.service = service;
  }

  WatchKey register(
      final HeadpondPath directory,
      final WatchEvent.Kind<?>[] events,
      final WatchEvent.Modifier... modifiers)
      throws IOException {
    fileSystem.provider().admit(directory.unwrapped());
    synchronized (keys) { // or it would be signalled before it is known
      return wrap(directory, directory.unwrapped().register(service, events, modifiers));
    }
  }

  /**
   * The one wrapper of a key.
   *
   * @param registered what its caller registers now; null: it was signalled
   */
  private WatchKey wrap(final Path registered, final WatchKey key) {
    if (key == null) {
      return null;
    }
    synchronized (keys) {
      final Registered known = keys.get(key);
      HeadpondWatchKey wrapper = known == null ? null : known.wrapper.get();
      if (wrapper == null) {
        final Path directory = known == null ? registered : known.directory;
        wrapper = new HeadpondWatchKey(fileSystem, directory, key);
        keys.put(key, new Registered(directory, new WeakReference<>(wrapper)));
      }
      return wrapper;
    }
  }

  @Override
  public void close() throws IOException {
    service.close();
  }

  @Override
  public WatchKey poll() {
    return wrap(null, service.poll());
  }

  @Override
  public WatchKey poll(final long timeout, final TimeUnit unit) throws InterruptedException {
    return wrap(null, service.poll(timeout, unit));
  }

  @Override
  public WatchKey take() throws InterruptedException {
    return wrap(null, service.take());
  }
}
