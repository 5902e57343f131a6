// SPDX-License-Identifier: Apache-2.0
package io.headpond.cli.console;

import static org.assertj.core.api.Assertions.assertThat;

import io.headpond.cli.Run;
import java.io.FileNotFoundException;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.file.AccessDeniedException;
import java.nio.file.FileSystemException;
import java.nio.file.NoSuchFileException;
import java.nio.file.NotDirectoryException;
import java.util.List;
import org.junit.jupiter.api.Test;

class ConsoleTest {

  @Test
  void anErrorIsOneLineAndItsStackTraceComesOnlyWhenAskedFor() {
    Run plain = Run.of("verify", "/no/such/dir");
    assertThat(plain.err()).hasLineCount(1).startsWith("headpond: /no/such/dir");
    Run debug = Run.of("verify", "--debug", "/no/such/dir");
    assertThat(debug.exitCode()).isEqualTo(1);
    assertThat(debug.err()).startsWith(plain.err()).contains("\tat io.headpond.cli");
  }

  @Test
  void everyErrorSaysMoreThanTheNameOfAFile() {
    for (Exception e :
        List.of(
            new NoSuchFileException("/f"),
            new FileNotFoundException("/f"),
            new AccessDeniedException("/f"),
            new NotDirectoryException("/f"),
            new FileSystemException("/f", null, "No space left on device"),
            new IOException("/f: broken"))) {
      assertThat(ErrorLine.describe(e)).startsWith("/f: ").hasSizeGreaterThan(8);
    }
    assertThat(ErrorLine.describe(new CommandFailure("the cause", "the remedy")))
        .isEqualTo("the cause; the remedy");
    assertThat(ErrorLine.describe(new IllegalStateException())).contains("IllegalStateException");
  }

  @Test
  void progressIsWrittenOverOnATerminal() {
    StringWriter text = new StringWriter();
    try (Progress progress = new Progress(new PrintWriter(text), true)) {
      progress.show("a".repeat(500));
      progress.show("too early for a second one");
    }
    assertThat(text.toString())
        .startsWith("\r\u001b[Kaaa")
        .contains("…")
        .doesNotContain("too early")
        .endsWith("\r\u001b[K")
        .hasSizeLessThan(120);
  }

  @Test
  void progressIsSilentElsewhere() {
    StringWriter text = new StringWriter();
    try (Progress progress = new Progress(new PrintWriter(text))) {
      progress.show("nobody sees this");
    }
    assertThat(text.toString()).isEmpty();
  }
}
