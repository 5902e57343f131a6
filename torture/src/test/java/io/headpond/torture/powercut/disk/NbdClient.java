// SPDX-License-Identifier: Apache-2.0
package io.headpond.torture.powercut.disk;

import java.io.ByteArrayOutputStream;
import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.net.UnixDomainSocketAddress;
import java.nio.channels.Channels;
import java.nio.channels.SocketChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;

/** Speaks to an {@link NbdServer} as QEMU does. */
final class NbdClient implements AutoCloseable {
  static final int WRITE = 1;
  static final int DISCONNECT = 2;
  static final int FLUSH = 3;
  static final int TRIM = 4;
  static final int FUA = 1;
  private static final int STRUCTURED_REPLY = 8;
  private static final int GO = 7;
  private static final int UNSUPPORTED = (1 << 31) + 1;

  private final SocketChannel channel;
  private final DataInputStream in;
  private final DataOutputStream out;
  private final ByteArrayOutputStream unsent = new ByteArrayOutputStream();
  private final DataOutputStream requests = new DataOutputStream(unsent);

  /** Of the disk, bytes. */
  final long size;

  /** Of the export. */
  final int flags;

  NbdClient(Path socket) throws IOException {
    channel = SocketChannel.open(UnixDomainSocketAddress.of(socket));
    in = new DataInputStream(Channels.newInputStream(channel));
    out = new DataOutputStream(Channels.newOutputStream(channel));
    expect(in.readLong(), 0x4e42444d41474943L);
    expect(in.readLong(), 0x49484156454f5054L);
    expect(in.readUnsignedShort() & 1, 1);
    out.writeInt(1);
    option(STRUCTURED_REPLY, new byte[0]);
    expect(optionReply(STRUCTURED_REPLY), UNSUPPORTED);
    byte[] name = "home".getBytes(StandardCharsets.UTF_8);
    ByteArrayOutputStream go = new ByteArrayOutputStream();
    DataOutputStream data = new DataOutputStream(go);
    data.writeInt(name.length);
    data.write(name);
    data.writeShort(0);
    option(GO, go.toByteArray());
    expect(optionReply(GO), 3);
    expect(in.readUnsignedShort(), 0);
    size = in.readLong();
    flags = in.readUnsignedShort();
    expect(optionReply(GO), 3);
    expect(in.readUnsignedShort(), 3);
    expect(in.readInt(), ForgettingDisk.SECTOR);
    in.readLong();
    expect(optionReply(GO), 1);
  }

  private void option(int option, byte[] data) throws IOException {
    out.writeLong(0x49484156454f5054L);
    out.writeInt(option);
    out.writeInt(data.length);
    out.write(data);
  }

  private int optionReply(int option) throws IOException {
    expect(in.readLong(), 0x3e889045565a9L);
    expect(in.readInt(), option);
    int type = in.readInt();
    in.readInt();
    return type;
  }

  private static void expect(long found, long expected) throws IOException {
    if (found != expected) {
      throw new IOException("expected " + expected + ", was " + found);
    }
  }

  /** A request that goes out with the next {@link #send}. */
  NbdClient request(int commandFlags, int type, long position, int length, byte[] data)
      throws IOException {
    requests.writeInt(0x25609513);
    requests.writeShort(commandFlags);
    requests.writeShort(type);
    requests.writeLong(position);
    requests.writeLong(position);
    requests.writeInt(length);
    requests.write(data);
    return this;
  }

  /** Sends all requests at once. */
  void send() throws IOException {
    unsent.writeTo(out);
    unsent.reset();
  }

  /** The error of the next reply. */
  int reply() throws IOException {
    expect(in.readInt(), 0x67446698);
    int error = in.readInt();
    in.readLong();
    return error;
  }

  int write(int commandFlags, long position, byte[] data) throws IOException {
    request(commandFlags, WRITE, position, data.length, data).send();
    return reply();
  }

  int flush() throws IOException {
    request(0, FLUSH, 0, 0, new byte[0]).send();
    return reply();
  }

  byte[] read(long position, int length) throws IOException {
    request(0, 0, position, length, new byte[0]).send();
    expect(reply(), 0);
    return in.readNBytes(length);
  }

  /** A kill closes the socket too. */
  @Override
  public void close() throws IOException {
    channel.close();
  }
}
