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
 * identity, so the wrapper of a key is remembered for as long as a caller holds it: never more
 * entries than the caller has keys. Any thread.
 */
final class HeadpondWatchService implements WatchService {
  private final HeadpondFileSystem fileSystem;
  private final WatchService service;
  private final Map<WatchKey, WeakReference<HeadpondWatchKey>> keys = new WeakHashMap<>();

  HeadpondWatchService(final HeadpondFileSystem fileSystem, final WatchService service) {
    this.fileSystem = fileSystem;
    this.service = service;
  }

  WatchKey register(
      final Path directory,
      final WatchEvent.Kind<?>[] events,
      final WatchEvent.Modifier... modifiers)
      throws IOException {
    fileSystem.provider().admit(directory);
    return wrap(directory.register(service, events, modifiers));
  }

  private WatchKey wrap(final WatchKey key) {
    if (key == null) {
      return null;
    }
    synchronized (keys) {
      final WeakReference<HeadpondWatchKey> known = keys.get(key);
      HeadpondWatchKey wrapper = known == null ? null : known.get();
      if (wrapper == null) {
        wrapper = new HeadpondWatchKey(fileSystem, key);
        keys.put(key, new WeakReference<>(wrapper));
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
    return wrap(service.poll());
  }

  @Override
  public WatchKey poll(final long timeout, final TimeUnit unit) throws InterruptedException {
    return wrap(service.poll(timeout, unit));
  }

  @Override
  public WatchKey take() throws InterruptedException {
    return wrap(service.take());
  }
}
