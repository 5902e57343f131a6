// SPDX-License-Identifier: Apache-2.0
package io.headpond.pmem;

import java.io.IOException;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Proxy;
import java.nio.ByteBuffer;
import java.nio.MappedByteBuffer;
import java.nio.channels.ClosedByInterruptException;
import java.nio.channels.FileChannel;
import java.nio.channels.FileLock;
import java.nio.channels.ReadableByteChannel;
import java.nio.channels.WritableByteChannel;
import java.nio.file.FileSystem;
import java.nio.file.OpenOption;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;

/**
 * A real file by a path whose channels record what changes the device, and fail when they are told
 * to. Any thread.
 */
final class FailingFile {
  /** Decides about one call, which does nothing else if this throws. */
  interface Fault {
    void at(String call, FileChannel channel) throws IOException;
  }

  /** Fails no call. */
  static final Fault NONE = (call, channel) -> {};

  private final Path real;
  private final Path path;
  private final List<String> calls = new ArrayList<>();
  private Fault fault = NONE;

  /** An existing file. */
  FailingFile(Path real) {
    this.real = real;
    FileSystem fileSystem = new Opened();
    this.path =
        (Path)
            Proxy.newProxyInstance(
                getClass().getClassLoader(),
                new Class<?>[] {Path.class},
                (self, method, arguments) -> {
                  if (method.getName().equals("getFileSystem")) {
                    return fileSystem;
                  }
                  try {
                    return method.invoke(real, arguments);
                  } catch (InvocationTargetException e) {
                    throw e.getCause();
                  }
                });
  }

  /** Fails every call of that name with an error of the device. */
  static Fault failing(String name) {
    return (call, channel) -> {
      if (call.startsWith(name)) {
        throw new IOException("Input/output error");
      }
    };
  }

  /** An interrupt comes upon the next call of that name; others are left to another fault. */
  static Fault interrupting(String name, Fault others) {
    boolean[] done = {false};
    return (call, channel) -> {
      if (call.startsWith(name) && !done[0]) {
        done[0] = true;
        Thread.currentThread().interrupt();
        channel.close();
        throw new ClosedByInterruptException();
      }
      others.at(call, channel);
    };
  }

  Path path() {
    return path;
  }

  /** What happens to calls from now on; forgets those before. */
  synchronized void faultFromNowOn(Fault next) {
    fault = next;
    calls.clear();
  }

  /**
   * Calls since then, also those that failed: {@code open}, {@code write 12 at 34}, {@code force
   * true}, {@code truncate 56}, {@code size}. Those of a channel that forces its writes end with
   * {@code dsync}.
   */
  synchronized List<String> calls() {
    return List.copyOf(calls);
  }

  /** Those whose names begin so. */
  List<String> calls(String name) {
    return calls().stream().filter(call -> call.startsWith(name)).toList();
  }

  /** Those that change the device. */
  List<String> changes() {
    return calls().stream()
        .filter(call -> !call.startsWith("open") && !call.startsWith("size"))
        .toList();
  }

  private void called(String call, FileChannel channel) throws IOException {
    Fault now;
    synchronized (this) {
      calls.add(call);
      now = fault;
    }
    now.at(call, channel);
  }

  private final class Opened extends OneFileSystem {
    Opened() {
      super(real);
    }

    @Override
    FileChannel open(Set<? extends OpenOption> options) throws IOException {
      String suffix = options.contains(StandardOpenOption.DSYNC) ? " dsync" : "";
      called("open" + suffix, null);
      return new Channel(FileChannel.open(real, options), suffix);
    }
  }

  private final class Channel extends FileChannel {
    private final FileChannel own;
    private final String suffix;

    Channel(FileChannel own, String suffix) {
      this.own = own;
      this.suffix = suffix;
    }

    @Override
    public int write(ByteBuffer source, long at) throws IOException {
      called("write " + source.remaining() + " at " + at + suffix, this);
      return own.write(source, at);
    }

    @Override
    public long size() throws IOException {
      called("size" + suffix, this);
      return own.size();
    }

    @Override
    public FileChannel truncate(long size) throws IOException {
      called("truncate " + size + suffix, this);
      own.truncate(size);
      return this;
    }

    @Override
    public void force(boolean metaData) throws IOException {
      called("force " + metaData + suffix, this);
      own.force(metaData);
    }

    @Override
    public MappedByteBuffer map(MapMode mode, long at, long size) throws IOException {
      return own.map(mode, at, size);
    }

    @Override
    protected void implCloseChannel() throws IOException {
      own.close();
    }

    @Override
    public int read(ByteBuffer target) {
      throw new UnsupportedOperationException();
    }

    @Override
    public long read(ByteBuffer[] targets, int offset, int length) {
      throw new UnsupportedOperationException();
    }

    @Override
    public int read(ByteBuffer target, long at) {
      throw new UnsupportedOperationException();
    }

    @Override
    public int write(ByteBuffer source) {
      throw new UnsupportedOperationException();
    }

    @Override
    public long write(ByteBuffer[] sources, int offset, int length) {
      throw new UnsupportedOperationException();
    }

    @Override
    public long position() {
      throw new UnsupportedOperationException();
    }

    @Override
    public FileChannel position(long newPosition) {
      throw new UnsupportedOperationException();
    }

    @Override
    public long transferTo(long at, long count, WritableByteChannel target) {
      throw new UnsupportedOperationException();
    }

    @Override
    public long transferFrom(ReadableByteChannel source, long at, long count) {
      throw new UnsupportedOperationException();
    }

    @Override
    public FileLock lock(long at, long size, boolean shared) {
      throw new UnsupportedOperationException();
    }

    @Override
    public FileLock tryLock(long at, long size, boolean shared) {
      throw new UnsupportedOperationException();
    }
  }
}
