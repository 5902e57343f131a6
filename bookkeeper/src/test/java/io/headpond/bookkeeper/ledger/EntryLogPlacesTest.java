// SPDX-License-Identifier: Apache-2.0
package io.headpond.bookkeeper.ledger;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.headpond.bookkeeper.Await;
import java.io.IOException;
import java.nio.file.FileSystemException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.FutureTask;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicReference;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Names of entry logs are made, replaced and removed by several threads. */
class EntryLogPlacesTest {
  private static final int PATIENCE_S = 10;

  @TempDir Path folder;

  private final AtomicReference<HookedFiles.Hook> hook = new AtomicReference<>((call, path) -> {});
  private EntryLogPlaces places;

  @BeforeEach
  void open() throws IOException {
    final HookedFiles files =
        new HookedFiles(folder.getFileSystem(), (call, path) -> hook.get().before(call, path));
    Files.createDirectories(folder.resolve("ledgers/current"));
    Files.createDirectory(folder.resolve("fast"));
    places =
        EntryLogPlaces.open(
            files.wrap(folder.resolve("ledgers")), files.wrap(folder.resolve("fast")));
  }

  private Path plain(final Path path) {
    return folder.getFileSystem().getPath(path.toString());
  }

  private void create(final long id) throws IOException {
    Files.write(plain(places.fastFile(id)), new byte[100]);
    assertThat(places.link(id)).isTrue();
  }

  private boolean deleteName(final long id) {
    return places.name(id).toFile().delete();
  }

  private static <T> FutureTask<T> started(final java.util.concurrent.Callable<T> work) {
    final FutureTask<T> task = new FutureTask<>(work);
    new Thread(task).start();
    return task;
  }

  /** Only root may list that folder of a mount point. */
  @Test
  void aStartDoesNotLookIntoLostAndFound() throws IOException {
    final Path lost = Files.createDirectory(folder.resolve("ledgers/lost+found"));
    final Path found = Files.createFile(lost.resolve("headpond-0123456789abcdef.move"));
    places.recover(System.currentTimeMillis());
    assertThat(found).exists();
  }

  /** Two gigabytes take a disk a while. */
  @Test
  void nobodyWaitsForTheRemovalOfAnotherLog() throws Exception {
    create(1);
    create(2);
    create(3);
    places.forceNames();
    final Path dropped = plain(places.fastFile(1));
    final CountDownLatch reached = new CountDownLatch(2);
    final CountDownLatch released = new CountDownLatch(1);
    hook.set(
        (call, path) -> {
          if (call.equals("delete") && path.equals(dropped)) {
            await(reached, released);
          }
        });
    final FutureTask<Boolean> ofAFile = started(() -> places.remove(1, () -> deleteName(1)));
    final FutureTask<Boolean> ofAName =
        started(
            () ->
                places.remove(
                    2,
                    () -> {
                      await(reached, released);
                      return deleteName(2);
                    }));
    final boolean both = reached.await(PATIENCE_S, TimeUnit.SECONDS);
    final FutureTask<Boolean> others =
        started(
            () -> {
              create(4);
              places.forceNames();
              final Path copy = places.home().resolveSibling("headpond-1.move");
              Files.write(plain(copy), new byte[100]);
              return places.publishHome(3, copy);
            });
    boolean waits = false;
    try {
      assertThat(others.get(PATIENCE_S, TimeUnit.SECONDS)).isTrue();
    } catch (final TimeoutException e) {
      waits = true;
    }
    assertThat(ofAFile.isDone() || ofAName.isDone()).isFalse();
    released.countDown();
    assertThat(both).as("two removals at once").isTrue();
    assertThat(waits).as("others wait for a removal").isFalse();
    assertThat(List.of(ofAFile.get(), ofAName.get())).containsExactly(true, true);
    assertThat(dropped).doesNotExist();
    assertThat(plain(places.fastFile(2))).doesNotExist();
  }

  private static void await(final CountDownLatch reached, final CountDownLatch released) {
    reached.countDown();
    try {
      released.await();
    } catch (final InterruptedException e) {
      throw new AssertionError(e);
    }
  }

  @Test
  void aMoveThatMeetsTheRemovalOfItsLogLosesAgainstIt() throws Exception {
    create(1);
    final Path copy = places.home().resolveSibling("headpond-1.move");
    Files.write(plain(copy), new byte[100]);
    final CountDownLatch reached = new CountDownLatch(1);
    final CountDownLatch released = new CountDownLatch(1);
    final FutureTask<Boolean> removal =
        started(
            () ->
                places.remove(
                    1,
                    () -> {
                      await(reached, released);
                      return deleteName(1);
                    }));
    reached.await();
    final AtomicReference<Boolean> published = new AtomicReference<>();
    final Thread move =
        new Thread(
            () -> {
              try {
                published.set(places.publishHome(1, copy));
              } catch (final IOException e) {
                throw new AssertionError(e);
              }
            });
    move.start();
    Await.until(() -> move.getState() == Thread.State.WAITING);
    released.countDown();
    assertThat(removal.get()).isTrue();
    move.join();
    assertThat(published.get()).isFalse();
    assertThat(plain(places.name(1))).doesNotExist();
    assertThat(plain(places.fastFile(1))).doesNotExist();
  }

  /** Any force at home may make the name durable: then it must lead somewhere. */
  @Test
  void aNameIsMadeWhenItsFileIsDurablyThere() throws Exception {
    final StringBuilder order = new StringBuilder();
    hook.set(
        (call, path) -> {
          if (call.equals("force") || call.equals("link")) {
            order.append(call).append(' ').append(folder.relativize(path)).append('\n');
          }
        });
    create(1);
    places.forceNames();
    assertThat(order.toString().lines())
        .containsExactly(
            "force " + folder.relativize(plain(places.fastFile(1)).getParent()),
            "link ledgers/current/1.log",
            "force ledgers/current");
  }

  /** Without its name a start would take the log for nobody's, whatever is indexed of it. */
  @Test
  void aLogThatIsNowhereIsNotTakenForOneAtHome() throws Exception {
    Files.write(plain(places.name(1)), new byte[100]);
    assertThat(places.link(1)).isFalse();
    Files.write(plain(places.fastFile(2)), new byte[100]);
    final Path unmounted = plain(places.fast()).resolveSibling("unmounted");
    Files.move(plain(places.fast()), unmounted);
    assertThatThrownBy(() -> places.link(2))
        .isInstanceOf(IOException.class)
        .hasMessageContaining("2.log");
    Files.move(unmounted, plain(places.fast()));
    assertThat(places.link(2)).isTrue();
  }

  /** The other way round a power cut could leave a link that leads nowhere. */
  @Test
  void aFileGoesAfterItsNameIsDurablyGone() throws Exception {
    create(1);
    places.forceNames();
    final StringBuilder order = new StringBuilder();
    hook.set(
        (call, path) -> {
          if (call.equals("force") || call.equals("delete")) {
            order.append(call).append(' ').append(folder.relativize(path)).append('\n');
          }
        });
    assertThat(
            places.remove(
                1,
                () -> {
                  order.append("name\n");
                  return deleteName(1);
                }))
        .isTrue();
    assertThat(order.toString().lines())
        .containsExactly(
            "name",
            "force ledgers/current",
            "delete " + folder.relativize(plain(places.fastFile(1))));
  }

  /** BookKeeper 4.16 says of a deletion that failed that it succeeded. */
  @Test
  void aLogWhoseNameCantBeDeletedKeepsItsFile() throws Exception {
    create(1);
    places.forceNames();
    assertThat(places.remove(1, () -> true)).isFalse();
    assertThat(plain(places.fastFile(1))).exists();
    assertThat(places.leadsToFast(1)).isTrue();
    assertThat(places.remove(1, () -> deleteName(1))).isTrue();
    assertThat(plain(places.fastFile(1))).doesNotExist();
  }

  @Test
  void aFileThatCantBeDeletedDoesNotUndoARemoval() throws Exception {
    create(1);
    hook.set(
        (call, path) -> {
          if (call.equals("delete")) {
            throw new OutOfMemoryError("Direct buffer memory");
          }
        });
    assertThat(places.remove(1, () -> deleteName(1))).isTrue();
    assertThat(plain(places.fastFile(1))).exists();
  }

  /** Somebody put an old copy there, perhaps; the fast file may hold entries that it doesn't. */
  @ParameterizedTest
  @ValueSource(ints = {99, 100, 101})
  void aFileGoesOnlyIfHomeHasAllOfIt(final int atHome) throws Exception {
    Files.write(plain(places.fastFile(1)), new byte[100]);
    Files.write(plain(places.name(1)), new byte[atHome]);
    places.recover(System.currentTimeMillis());
    assertThat(plain(places.fastFile(1))).doesNotExist();
    try (Stream<Path> files = Files.walk(plain(folder.resolve("fast")))) {
      assertThat(files.filter(file -> file.toFile().length() == 100 && Files.isRegularFile(file)))
          .hasSize(atHome == 100 ? 0 : 1);
    }
  }

  /** Or the only file of a log would be deleted as the source of a finished move. */
  @Test
  void aNameThatCantBeLookedAtIsNeitherThereNorGone() throws Exception {
    create(1);
    places.forceNames();
    Files.write(plain(places.fastFile(2)), new byte[100]);
    hook.set(
        (call, path) -> {
          if (call.equals("attributes")) {
            throw new FileSystemException(path.toString(), null, "Input/output error");
          }
        });
    assertThatThrownBy(() -> places.leadsToFast(1)).hasMessageContaining("Input/output error");
    assertThatThrownBy(() -> places.link(2)).hasMessageContaining("Input/output error");
    final Path name = plain(places.name(1));
    hook.set(
        (call, path) -> {
          if (call.equals("attributes") && path.equals(name)) {
            throw new FileSystemException(path.toString(), null, "Input/output error");
          }
        });
    assertThatThrownBy(() -> places.recover(System.currentTimeMillis()))
        .hasMessageContaining("Input/output error");
    assertThat(plain(places.fastFile(1))).exists();
  }

  /** BookKeeper tries a removal again that left its file, and finds that file itself. */
  @Test
  void aFileWhoseNameWentBeforeGoesWhenThatIsDurable() throws Exception {
    create(1);
    places.forceNames();
    final Path fast = plain(places.fastFile(1));
    hook.set(
        (call, path) -> {
          if (call.equals("open") && path.endsWith("current")) {
            throw new FileSystemException(path.toString(), null, "Too many open files");
          }
        });
    assertThat(places.remove(1, () -> deleteName(1))).isTrue();
    assertThat(places.remove(1, () -> fast.toFile().delete())).isFalse();
    assertThat(fast).exists();
    final StringBuilder order = new StringBuilder();
    hook.set(
        (call, path) -> {
          if (call.equals("force")) {
            order.append("force ").append(folder.relativize(path)).append('\n');
          }
        });
    assertThat(
            places.remove(
                1,
                () -> {
                  order.append("file\n");
                  return fast.toFile().delete();
                }))
        .isTrue();
    assertThat(order.toString().lines()).containsExactly("force ledgers/current", "file");
    assertThat(fast).doesNotExist();
  }
}
