// SPDX-License-Identifier: Apache-2.0
package io.headpond.store.event;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowable;

import java.io.IOException;
import java.nio.file.AccessDeniedException;
import java.nio.file.FileSystemException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class PlainTextTest {
  @TempDir Path folder;

  @Test
  void aFailureThatNamesOnlyItsFileIsGivenItsReason() throws IOException {
    final Path file = Files.createFile(folder.resolve("f"));
    assertThat(reason(() -> Files.size(folder.resolve("none"))))
        .isEqualTo(folder.resolve("none") + ": it is not there");
    assertThat(reason(() -> Files.newDirectoryStream(file).close()))
        .isEqualTo(file + ": it is no directory");
    assertThat(reason(() -> Files.createFile(file))).isEqualTo(file + ": it is there already");
    assertThat(PlainText.reason(new AccessDeniedException("/x")))
        .isEqualTo(
            "/x: the process's user, " + System.getProperty("user.name") + ", has no right to it");
  }

  @Test
  void aReasonThatIsGivenIsKept() {
    assertThat(PlainText.reason(new FileSystemException("/x", null, "Input/output error")))
        .isEqualTo("/x: Input/output error");
    assertThat(PlainText.reason(new IOException("gone"))).isEqualTo("gone");
    assertThat(PlainText.reason(new IOException())).isEqualTo("java.io.IOException");
  }

  private static String reason(final FileOperation operation) {
    return PlainText.reason(catchThrowable(operation::run));
  }

  private interface FileOperation {
    void run() throws IOException;
  }
}
