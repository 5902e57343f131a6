// SPDX-License-Identifier: Apache-2.0
package io.headpond.store;

import static org.assertj.core.api.Assertions.assertThat;

import io.headpond.store.layout.LogDirScan;
import io.headpond.store.layout.NameLook;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Looks at a name that another thread changes between two calls of the look. */
class NameLookTest {
  private static final byte[] BYTES = {1, 2, 3};

  @AutoClose private ModelRun run;
  private Path partition;
  private Path name;
  private Path link;
  private Path first;
  private Path second;

  private interface Change {
    void make() throws IOException;
  }

  @BeforeEach
  void aSegmentInATier() throws IOException {
    run = new ModelRun(ModelRun.Setup.of(false, "file"), 1);
    Files.createDirectory(run.real("home0/t-0"));
    partition = run.path("home0/t-0");
    name = StoreFixture.segment(partition, 0);
    link = ModelPath.real(name);
    first = Files.write(run.real("tier00").resolve("first"), BYTES);
    second = run.real("tier00").resolve("second");
    Files.createSymbolicLink(link, first);
  }

  /** A change that comes right before a call is made. */
  private void before(final ModelFaults.Call wanted, final Path of, final Change change) {
    final boolean[] made = {false};
    run.disk.schedule(
        (call, path, returning) -> {
          if (call == wanted && path.equals(of) && !made[0]) {
            made[0] = true;
            try {
              change.make();
            } catch (final IOException e) {
              throw new UncheckedIOException(e);
            }
          }
        });
  }

  private void moveHome() throws IOException {
    Files.delete(link);
    Files.move(first, link);
  }

  private void moveOn() throws IOException {
    Files.delete(link);
    Files.move(first, second);
    Files.createSymbolicLink(link, second);
  }

  private LogDirScan.Entry found() throws IOException {
    assertThat(LogDirScan.segments(partition)).hasSize(1);
    return LogDirScan.segments(partition).get(0);
  }

  @Test
  void aLinkThatBecomesAFileMeanwhileIsNone() throws IOException {
    before(ModelFaults.Call.READ_LINK, link, this::moveHome);
    assertThat(NameLook.target(name)).isNull();
  }

  @Test
  void aLinkThatIsDeletedMeanwhileIsNone() throws IOException {
    before(ModelFaults.Call.READ_LINK, link, () -> Files.delete(link));
    assertThat(NameLook.target(name)).isNull();
  }

  @Test
  void aSegmentThatMovesHomeMeanwhileIsFoundThere() throws IOException {
    before(ModelFaults.Call.READ_LINK, link, this::moveHome);
    assertThat(LogDirScan.segments(partition))
        .singleElement()
        .satisfies(entry -> assertThat(entry.linked()).isFalse());
    assertThat(found().bytes()).isEqualTo(BYTES.length);
  }

  @Test
  void aSegmentThatMovesOnMeanwhileIsFoundThere() throws IOException {
    before(ModelFaults.Call.ATTRIBUTES, first, this::moveOn);
    assertThat(LogDirScan.segments(partition))
        .singleElement()
        .satisfies(entry -> assertThat(ModelPath.real(entry.target())).isEqualTo(second))
        .satisfies(entry -> assertThat(entry.bytes()).isEqualTo(BYTES.length));
  }

  @Test
  void aLinkThatLeadsNowhereIsSaidToBeOne() throws IOException {
    Files.delete(first);
    assertThat(found().bytes()).isEqualTo(-1);
  }
}
