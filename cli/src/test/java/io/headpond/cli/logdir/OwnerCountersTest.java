// SPDX-License-Identifier: Apache-2.0
package io.headpond.cli.logdir;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class OwnerCountersTest {
  @TempDir Path folder;

  @Test
  void aDamagedFileSaysNothingAndAnotherTiersIsTaken() throws Exception {
    Path damaged = Files.createDirectory(folder.resolve("damaged"));
    Path good = Files.createDirectory(folder.resolve("good"));
    Files.writeString(damaged.resolve(OwnerCounters.FILE), "updated.ms=\\u00zz\n");
    assertThat(OwnerCounters.newest(List.of(damaged))).isEmpty();

    Files.writeString(good.resolve(OwnerCounters.FILE), "updated.ms=17\n");
    assertThat(OwnerCounters.newest(List.of(damaged, good)).orElseThrow().updatedMs())
        .isEqualTo(17);
  }

  @Test
  void theFileWrittenLastIsTakenAlsoWhenTheClockWasSetBack() throws Exception {
    Path failed = Files.createDirectory(folder.resolve("failed"));
    Path works = Files.createDirectory(folder.resolve("works"));
    Files.writeString(
        failed.resolve(OwnerCounters.FILE), "pid=1\nsequence=9000\nupdated.ms=9000\n");
    Files.writeString(works.resolve(OwnerCounters.FILE), "pid=2\nsequence=9001\nupdated.ms=17\n");
    assertThat(OwnerCounters.newest(List.of(failed, works)).orElseThrow().get("pid")).isEqualTo(2);
    assertThat(OwnerCounters.newest(List.of(works, failed)).orElseThrow().get("pid")).isEqualTo(2);

    Files.writeString(failed.resolve(OwnerCounters.FILE), "pid=1\nupdated.ms=9002\n");
    assertThat(OwnerCounters.newest(List.of(works, failed)).orElseThrow().get("pid"))
        .as("of a version that writes no sequence")
        .isEqualTo(1);
  }
}
