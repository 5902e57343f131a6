// SPDX-License-Identifier: Apache-2.0
package io.headpond.torture.powercut.disk;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.net.ProtocolException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class NbdServerTest {
  private static final int BLOCK = 4096;
  private static final int BYTES = 64 * BLOCK;

  private static final long PATIENCE_NANOS = 20_000_000_000L;

  @TempDir Path folder;
  private final Standstill standstill = new Standstill();
  private ForgettingDisk disk;
  private NbdServer server;
  private NbdClient client;

  @BeforeEach
  void connect() throws Exception {
    Path image = Files.write(folder.resolve("image"), new byte[BYTES]);
    disk = new ForgettingDisk(image, 1, ForgettingDisk.SECTOR);
    server = new NbdServer(disk, standstill, folder.resolve("socket"));
    client = new NbdClient(folder.resolve("socket"));
  }

  @AfterEach
  void disconnect() throws Exception {
    client.close();
    disk.close();
  }

  private static byte[] block(int value) {
    byte[] data = new byte[BLOCK];
    Arrays.fill(data, (byte) value);
    return data;
  }

  /** What is durable now. */
  private byte[] image() throws IOException {
    return Files.readAllBytes(folder.resolve("image"));
  }

  private byte[] image(int block) throws IOException {
    return Arrays.copyOfRange(image(), block * BLOCK, (block + 1) * BLOCK);
  }

  @Test
  void aClientLearnsSizeAndThatFlushAndFuaAreTaken() {
    assertThat(client.size).isEqualTo(BYTES);
    assertThat(client.flags).isEqualTo(1 | 4 | 8);
  }

  @Test
  void aClientReadsItsOwnWritesBeforeTheyAreDurable() throws Exception {
    client.write(0, BLOCK, block(1));
    client.write(0, BLOCK + 512, Arrays.copyOf(block(2), 512));
    byte[] found = client.read(0, 3 * BLOCK);
    assertThat(found[BLOCK]).isEqualTo((byte) 1);
    assertThat(found[BLOCK + 512]).isEqualTo((byte) 2);
    assertThat(found[BLOCK + 1024]).isEqualTo((byte) 1);
    assertThat(image()).containsOnly(0);
  }

  @Test
  void aFlushMakesDurableWhatWasCompleteBeforeIt() throws Exception {
    client.write(0, 0, block(1));
    assertThat(client.flush()).isZero();
    client.write(0, BLOCK, block(2));
    assertThat(image(0)).containsOnly(1);
    assertThat(image(1)).containsOnly(0);
  }

  @Test
  void aWriteWithFuaIsDurableAlone() throws Exception {
    client.write(0, 0, block(1));
    client.write(NbdClient.FUA, BLOCK, block(2));
    assertThat(image(0)).containsOnly(0);
    assertThat(image(1)).containsOnly(2);
  }

  @Test
  void aFlushNeedNotCoverWritesThatItWasSentWith() throws Exception {
    client.write(0, 0, block(1));
    client
        .request(0, NbdClient.WRITE, BLOCK, BLOCK, block(2))
        .request(0, NbdClient.FLUSH, 0, 0, new byte[0])
        .send();
    assertThat(client.reply()).isZero();
    assertThat(client.reply()).isZero();
    assertThat(image(0)).containsOnly(1);
    assertThat(image(1)).containsOnly(0);
    client.flush();
    assertThat(image(1)).containsOnly(2);
  }

  @Test
  void aRequestBeyondTheDiskOrUnknownIsAnErrorAndNoMore() throws Exception {
    assertThat(client.write(0, BYTES, block(1))).isEqualTo(5);
    client.request(0, NbdClient.TRIM, 0, BLOCK, new byte[0]).send();
    assertThat(client.reply()).isEqualTo(22);
    assertThat(client.write(0, 0, block(1))).isZero();
  }

  @Test
  void whatAKilledClientHadSentIsServedBeforeTheServerEnds() throws Exception {
    client.request(NbdClient.FUA, NbdClient.WRITE, 0, BLOCK, block(1)).send();
    client.close();
    server.close();
    assertThat(image(0)).containsOnly(1);
    assertThat(folder.resolve("socket")).doesNotExist();
  }

  @Test
  void disksStandStillWhileSomethingIsNotFlushed() throws Exception {
    client.write(0, 0, block(1));
    standstill.aim(2);
    client.write(0, BLOCK, block(2));
    client.request(0, NbdClient.FLUSH, 0, 0, new byte[0]).send();
    assertThat(standstill.await(PATIENCE_NANOS)).isTrue();
    assertThat(disk.cachedWrites()).isEqualTo(2);
    assertThat(image()).containsOnly(0);
    standstill.end();
    assertThat(client.reply()).isZero();
    assertThat(image(0)).containsOnly(1);
    assertThat(image(1)).containsOnly(2);
  }

  @Test
  void disksDoNotStandStillWhereEverythingIsFlushed() throws Exception {
    standstill.aim(1);
    client.flush();
    client.read(0, BLOCK);
    client.write(0, 0, block(1));
    assertThat(standstill.await(1)).isFalse();
    assertThat(client.flush()).isZero();
    assertThat(image(0)).containsOnly(1);
  }

  @Test
  void aFlushThatThePowerComesBeforeIsNone() throws Exception {
    client.write(0, 0, block(1));
    standstill.aim(1);
    client.request(0, NbdClient.FLUSH, 0, 0, new byte[0]).send();
    assertThat(standstill.await(PATIENCE_NANOS)).isTrue();
    client.close();
    standstill.endWithoutPower();
    server.close();
    assertThat(image()).containsOnly(0);
    assertThat(disk.cachedWrites()).isEqualTo(1);
  }

  @Test
  void aClientMayTakeItsLeave() throws Exception {
    client.request(0, NbdClient.DISCONNECT, 0, 0, new byte[0]).send();
    server.close();
    assertThat(disk.cut()).isEqualTo(Forgotten.NOTHING);
  }

  @Test
  void aClientThatDoesNotSpeakTheProtocolIsTold() throws Exception {
    client.request(0, NbdClient.WRITE, 0, -1, new byte[0]).send();
    assertThatThrownBy(server::close).isInstanceOf(ProtocolException.class);
  }

  @Test
  void aServerWithoutAClientEnds() throws Exception {
    NbdServer alone = new NbdServer(disk, standstill, folder.resolve("another"));
    assertThat(folder.resolve("another")).exists();
    alone.close();
    assertThat(folder.resolve("another")).doesNotExist();
  }
}
