// SPDX-License-Identifier: Apache-2.0
package io.headpond.torture.powercut.disk;

import java.io.BufferedInputStream;
import java.io.ByteArrayOutputStream;
import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.EOFException;
import java.io.IOException;
import java.io.InterruptedIOException;
import java.io.OutputStream;
import java.net.ProtocolException;
import java.net.StandardProtocolFamily;
import java.net.UnixDomainSocketAddress;
import java.nio.channels.Channels;
import java.nio.channels.ServerSocketChannel;
import java.nio.channels.SocketChannel;
import java.nio.file.Files;
import java.nio.file.Path;

/**
 * A {@link ForgettingDisk} as a network block device on a Unix socket, for one client: the fixed
 * newstyle handshake with {@code NBD_OPT_GO}, and read, write, flush and FUA with simple replies,
 * as the NBD project's {@code doc/proto.md} has them. A write is complete, and counts for a later
 * flush, when its reply is on the way.
 */
public final class NbdServer implements AutoCloseable {
  private static final long MAGIC = 0x4e42444d41474943L;
  private static final long OPTION_MAGIC = 0x49484156454f5054L;
  private static final long OPTION_REPLY_MAGIC = 0x3e889045565a9L;
  private static final int REQUEST_MAGIC = 0x25609513;
  private static final int REPLY_MAGIC = 0x67446698;

  private static final int FIXED_NEWSTYLE = 1;
  private static final int OPTION_ABORT = 2;
  private static final int OPTION_GO = 7;
  private static final int OPTION_BYTES_MAX = 64 << 10;
  private static final int REPLY_ACKNOWLEDGED = 1;
  private static final int REPLY_INFO = 3;
  private static final int REPLY_UNSUPPORTED = (1 << 31) + 1;
  private static final int INFO_EXPORT = 0;
  private static final int INFO_BLOCK_SIZE = 3;

  /** Transmission flags: has flags, takes flushes, takes FUA. */
  private static final int EXPORT_FLAGS = 1 | 4 | 8;

  private static final int READ = 0;
  private static final int WRITE = 1;
  private static final int DISCONNECT = 2;
  private static final int FLUSH = 3;
  private static final int FUA = 1;
  private static final int INVALID = 22;
  private static final int IO_ERROR = 5;

  private static final int REQUEST_BYTES = 28;
  private static final int PREFERRED_BYTES = 4096;
  private static final int REQUEST_BYTES_MAX = 32 << 20;
  private static final int BUFFER_BYTES = 256 << 10;
  private static final long CLOSE_MILLIS = 30_000;

  private final ForgettingDisk disk;
  private final Standstill standstill;
  private final Path socket;
  private final ServerSocketChannel listener;
  private final Thread thread;
  private volatile SocketChannel client;
  private volatile ProtocolException failure;

  /** A request of the client. */
  private record Request(int flags, int type, long cookie, long position, int length) {
    static Request read(DataInputStream in) throws IOException {
      if (in.readInt() != REQUEST_MAGIC) {
        throw new ProtocolException("no NBD request");
      }
      return new Request(
          in.readUnsignedShort(),
          in.readUnsignedShort(),
          in.readLong(),
          in.readLong(),
          in.readInt());
    }

    boolean fua() {
      return (flags & FUA) != 0;
    }
  }

  /**
   * Waits for the client.
   *
   * @param standstill of the machine's disks
   * @param socket is made; its path is no longer than some 100 bytes
   */
  public NbdServer(ForgettingDisk disk, Standstill standstill, Path socket) throws IOException {
    this.disk = disk;
    this.standstill = standstill;
    this.socket = socket;
    listener = ServerSocketChannel.open(StandardProtocolFamily.UNIX);
    try {
      listener.bind(UnixDomainSocketAddress.of(socket));
    } catch (IOException e) {
      listener.close();
      throw e;
    }
    thread = new Thread(this::serve, "nbd-" + socket.getFileName());
    thread.setDaemon(true);
    thread.start();
  }

  private void serve() {
    try (SocketChannel channel = listener.accept()) {
      client = channel;
      DataInputStream in =
          new DataInputStream(
              new BufferedInputStream(Channels.newInputStream(channel), BUFFER_BYTES));
      OutputStream out = Channels.newOutputStream(channel);
      ByteArrayOutputStream replies = new ByteArrayOutputStream();
      if (shakeHands(in, new DataOutputStream(out))) {
        while (serveBatch(in, new DataOutputStream(replies))) {
          replies.writeTo(out);
          replies.reset();
        }
      }
    } catch (ProtocolException e) {
      failure = e;
    } catch (IOException e) {
      // The client is gone: a guest whose power is cut says no farewell.
    }
  }

  private boolean shakeHands(DataInputStream in, DataOutputStream out) throws IOException {
    out.writeLong(MAGIC);
    out.writeLong(OPTION_MAGIC);
    out.writeShort(FIXED_NEWSTYLE);
    in.readInt();
    while (true) {
      if (in.readLong() != OPTION_MAGIC) {
        throw new ProtocolException("no NBD option");
      }
      int option = in.readInt();
      int length = in.readInt();
      if (length < 0 || length > OPTION_BYTES_MAX) {
        throw new ProtocolException("an NBD option of " + length + " B");
      }
      in.skipNBytes(length);
      switch (option) {
        case OPTION_GO -> {
          describe(out);
          return true;
        }
        case OPTION_ABORT -> {
          reply(out, option, REPLY_ACKNOWLEDGED, 0);
          return false;
        }
        default -> reply(out, option, REPLY_UNSUPPORTED, 0);
      }
    }
  }

  private void describe(DataOutputStream out) throws IOException {
    reply(out, OPTION_GO, REPLY_INFO, 12);
    out.writeShort(INFO_EXPORT);
    out.writeLong(disk.size());
    out.writeShort(EXPORT_FLAGS);
    reply(out, OPTION_GO, REPLY_INFO, 14);
    out.writeShort(INFO_BLOCK_SIZE);
    out.writeInt(ForgettingDisk.SECTOR);
    out.writeInt(PREFERRED_BYTES);
    out.writeInt(REQUEST_BYTES_MAX);
    reply(out, OPTION_GO, REPLY_ACKNOWLEDGED, 0);
  }

  private static void reply(DataOutputStream out, int option, int type, int length)
      throws IOException {
    out.writeLong(OPTION_REPLY_MAGIC);
    out.writeInt(option);
    out.writeInt(type);
    out.writeInt(length);
  }

  /**
   * Serves one request and those that have arrived with it. Their replies go out together, so none
   * of these writes is complete when a flush among them comes, and it needn't cover them.
   *
   * @return false if the client takes its leave
   */
  private boolean serveBatch(DataInputStream in, DataOutputStream out) throws IOException {
    int complete = disk.cachedWrites();
    do {
      Request request = Request.read(in);
      if (request.type == DISCONNECT) {
        return false;
      }
      serve(request, complete, in, out);
      if (request.type == FLUSH) {
        complete = 0;
      }
    } while (in.available() >= REQUEST_BYTES);
    return true;
  }

  private void serve(Request request, int complete, DataInputStream in, DataOutputStream out)
      throws IOException {
    if (request.length < 0 || request.length > REQUEST_BYTES_MAX) {
      throw new ProtocolException("an NBD request of " + request.length + " B");
    }
    byte[] written = request.type == WRITE ? in.readNBytes(request.length) : new byte[0];
    if (request.type == WRITE && written.length < request.length) {
      throw new EOFException("a write without its end");
    }
    boolean powered = pass(request);
    byte[] read = new byte[0];
    int error = 0;
    try {
      switch (request.type) {
        case READ -> read = disk.read(request.position, request.length);
        case WRITE -> write(request, written);
        case FLUSH -> disk.flush(powered ? complete : 0);
        default -> error = INVALID;
      }
    } catch (IOException e) {
      error = IO_ERROR;
    }
    out.writeInt(REPLY_MAGIC);
    out.writeInt(error);
    out.writeLong(request.cookie);
    out.write(read);
  }

  private boolean pass(Request request) throws InterruptedIOException {
    try {
      return standstill.pass(request.type != READ && disk.cachedWrites() > 0);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new InterruptedIOException();
    }
  }

  private void write(Request request, byte[] data) throws IOException {
    if (request.fua()) {
      disk.writeThrough(request.position, data);
    } else {
      disk.write(request.position, data);
    }
  }

  /**
   * Serves what the client, which is gone or goes now, had sent; the disk stays. Nothing is flushed
   * any more if the power went before, as {@link Standstill#endWithoutPower} says.
   *
   * @throws IOException if the client didn't speak the protocol, or didn't go
   */
  @Override
  public void close() throws IOException {
    listener.close();
    try {
      thread.join(CLOSE_MILLIS);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new InterruptedIOException();
    }
    SocketChannel connected = client;
    if (thread.isAlive() && connected != null) {
      connected.close();
      throw new IOException("the client of " + socket + " didn't go");
    }
    Files.deleteIfExists(socket);
    if (failure != null) {
      throw failure;
    }
  }
}
