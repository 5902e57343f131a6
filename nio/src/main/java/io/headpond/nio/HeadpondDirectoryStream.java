// SPDX-License-Identifier: Apache-2.0
package io.headpond.nio;

import java.io.IOException;
import java.nio.file.DirectoryStream;
import java.nio.file.Path;
import java.util.Iterator;

/** Wraps a built-in directory stream, so that its entries are wrapped paths. */
class HeadpondDirectoryStream implements DirectoryStream<Path> {
  private final DirectoryStream<Path> stream;
  private final Entries entries;

  HeadpondDirectoryStream(final DirectoryStream<Path> stream, final Entries entries) {
    this.stream = stream;
    this.entries = entries;
  }

  @Override
  public Iterator<Path> iterator() {
    return new WrappingIterator(stream.iterator(), entries);
  }

  @Override
  public void close() throws IOException {
    stream.close();
  }

  /**
   * Wraps the entries of one stream, for the caller's filter and for the iterator alike; an entry
   * that the filter has just let through is not wrapped a second time.
   */
  static final class Entries implements DirectoryStream.Filter<Path> {
    private final HeadpondFileSystem fileSystem;
    private final DirectoryStream.Filter<? super Path> filter;
    private HeadpondPath last;

    Entries(
        final HeadpondFileSystem fileSystem, final DirectoryStream.Filter<? super Path> filter) {
      this.fileSystem = fileSystem;
      this.filter = filter;
    }

    @Override
    public boolean accept(final Path entry) throws IOException {
      final HeadpondPath wrapped = new HeadpondPath(fileSystem, entry);
      last = wrapped;
      return filter.accept(wrapped);
    }

    Path wrap(final Path entry) {
      final HeadpondPath candidate = last;
      return candidate != null && candidate.unwrapped() == entry
          ? candidate
          : fileSystem.wrap(entry);
    }
  }

  private record WrappingIterator(Iterator<Path> iterator, Entries entries)
      implements Iterator<Path> {
    @Override
    public boolean hasNext() {
      return iterator.hasNext();
    }

    @Override
    public Path next() {
      return entries.wrap(iterator.next());
    }

    @Override
    public void remove() {
      iterator.remove();
    }
  }
}
