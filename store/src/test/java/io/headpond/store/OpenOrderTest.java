// SPDX-License-Identifier: Apache-2.0
package io.headpond.store;

import static io.headpond.store.StoreFixture.CREATE;
import static io.headpond.store.StoreFixture.append;
import static io.headpond.store.StoreFixture.bytes;
import static io.headpond.store.StoreFixture.segment;
import static org.assertj.core.api.Assertions.assertThat;

import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** A recovery takes zeros for the log's end, so only a log's last segment has any. */
final class OpenOrderTest {
  @AutoClose private StoreFixture fixture;
  private Path first;
  private Path second;

  @BeforeEach
  void makeDirectories() throws Exception {
    fixture = new StoreFixture();
    first = segment(fixture.partition("t-0"), 0);
    second = segment(fixture.partition("t-0"), 100);
  }

  private FileChannel open(final Path name) throws Exception {
    return fixture.store().open(name, CREATE);
  }

  @Test
  void anAppendBeforeTheLastSegmentGrowsNothingAhead() throws Exception {
    try (FileChannel early = open(first)) {
      append(early, bytes(1_000, 1));
      open(second).close();
      append(early, bytes(1_000, 2));
      assertThat(Files.size(first)).isEqualTo(2_000);
      try (FileChannel late = open(second)) {
        append(late, bytes(1_000, 3));
        append(early, bytes(1_000, 4));
        assertThat(Files.size(first)).isEqualTo(3_000);
        assertThat(Files.size(second)).isGreaterThan(1_000);
      }
    }
  }

  @Test
  void aSegmentThatIsLastAgainGrowsAhead() throws Exception {
    try (FileChannel early = open(first)) {
      append(early, bytes(1_000, 1));
      open(second).close();
      fixture.store().delete(second);
      append(early, bytes(1_000, 2));
      assertThat(Files.size(first)).isGreaterThan(2_000);
    }
  }

  @Test
  void aSegmentThatAppearsAroundTheStoreEndsTheGrowthOfThoseBefore() throws Exception {
    try (FileChannel early = open(first)) {
      append(early, bytes(1_000, 1));
      Files.write(second, bytes(1_000, 2));
      try (FileChannel late = open(second)) {
        assertThat(late.size()).isEqualTo(1_000);
        assertThat(Files.size(first)).isEqualTo(1_000);
      }
    }
  }
}
