// SPDX-License-Identifier: Apache-2.0
package io.headpond.nio;

import java.nio.file.Path;
import java.nio.file.WatchEvent;
import java.nio.file.WatchKey;
import java.nio.file.Watchable;
import java.util.ArrayList;
import java.util.List;

/** Wraps a built-in watch key: the names in its events become wrapped paths. */
final class HeadpondWatchKey implements WatchKey {
  private final HeadpondFileSystem fileSystem;
  private final Watchable watchable;
  private final WatchKey key;

  HeadpondWatchKey(
      final HeadpondFileSystem fileSystem, final Watchable watchable, final WatchKey key) {
    this.fileSystem = fileSystem;
    this.watchable = watchable;
    this.key = key;
  }

  @Override
  public boolean isValid() {
    return key.isValid();
  }

  @Override
  public List<WatchEvent<?>> pollEvents() {
    final List<WatchEvent<?>> events = key.pollEvents();
    final List<WatchEvent<?>> wrapped = new ArrayList<>(events.size());
    for (final WatchEvent<?> event : events) {
      wrapped.add(
          event.context() instanceof Path name
              ? new NamedEvent(kind(event), event.count(), fileSystem.wrap(name))
              : event);
    }
    return wrapped;
  }

  /** An event whose context is a path is of a kind of paths. */
  @SuppressWarnings("unchecked")
  private static WatchEvent.Kind<Path> kind(final WatchEvent<?> event) {
    return (WatchEvent.Kind<Path>) event.kind();
  }

  @Override
  public boolean reset() {
    return key.reset();
  }

  @Override
  public void cancel() {
    key.cancel();
  }

  @Override
  public Watchable watchable() {
    return watchable;
  }

  @Override
  public String toString() {
    return key.toString();
  }

  private record NamedEvent(WatchEvent.Kind<Path> kind, int count, Path context)
      implements WatchEvent<Path> {}
}
