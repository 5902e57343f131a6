// SPDX-License-Identifier: Apache-2.0
package io.headpond.nio;

import static java.nio.file.StandardWatchEventKinds.ENTRY_CREATE;
import static java.nio.file.StandardWatchEventKinds.ENTRY_DELETE;
import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.FileSystems;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.WatchEvent;
import java.nio.file.WatchKey;
import java.nio.file.WatchService;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Each of these does the same on the built-in provider and on ours. */
class WatchedDirectoryTest {
  private static final long SECONDS_MAX = 30;

  @TempDir Path folder;

  private List<Path> folders() throws IOException {
    final HeadpondFileSystemProvider ours =
        new HeadpondFileSystemProvider(FileSystems.getDefault().provider());
    return List.of(
        Files.createDirectory(folder.resolve("built-in")),
        Files.createDirectory(ours.getPath(folder.resolve("ours").toUri())));
  }

  @Test
  void aKeyHasTheObjectThatWasRegisteredFirst() throws Exception {
    for (final Path directory : folders()) {
      try (WatchService service = directory.getFileSystem().newWatchService()) {
        final WatchKey key = directory.register(service, ENTRY_CREATE);
        assertThat(key.watchable()).isSameAs(directory);
        final Path spelled = directory.resolve("../" + directory.getFileName());
        assertThat(spelled.register(service, ENTRY_DELETE)).isSameAs(key);
        assertThat(key.watchable()).isSameAs(directory);
        key.cancel();
        assertThat(key.watchable()).isSameAs(directory);
        assertThat(spelled.register(service, ENTRY_CREATE).watchable()).isSameAs(spelled);
      }
    }
  }

  @Test
  void aSignalledKeyThatNobodyHeldHasTheObjectThatWasRegistered() throws Exception {
    for (final Path directory : folders()) {
      try (WatchService service = directory.getFileSystem().newWatchService()) {
        directory.register(service, ENTRY_CREATE);
        System.gc();
        Files.createFile(directory.resolve("new"));
        final WatchKey key = service.poll(SECONDS_MAX, TimeUnit.SECONDS);
        assertThat(key.watchable()).isSameAs(directory);
        final List<Object> contexts = new ArrayList<>();
        for (final WatchEvent<?> event : key.pollEvents()) {
          contexts.add(event.context());
        }
        assertThat(contexts).containsExactly(directory.getFileSystem().getPath("new"));
      }
    }
  }

  @Test
  void aKeyEndsWithItsDirectory() throws Exception {
    for (final Path directory : folders()) {
      try (WatchService service = directory.getFileSystem().newWatchService()) {
        final WatchKey key = directory.register(service, ENTRY_CREATE);
        Files.delete(directory);
        assertThat(service.poll(SECONDS_MAX, TimeUnit.SECONDS)).isSameAs(key);
        assertThat(key.pollEvents()).isEmpty();
        assertThat(key.reset()).isFalse();
      }
    }
  }
}
