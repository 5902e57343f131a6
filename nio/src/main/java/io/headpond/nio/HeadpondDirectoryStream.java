// SPDX-License-Identifier: Apache-2.0
package io.headpond.nio;

import java.io.IOException;
import java.nio.file.DirectoryStream;
import java.nio.file.Path;
import java.util.Iterator;

/** Wraps a built-in directory stream, so that its entries are wrapped paths. */
class HeadpondDirectoryStream implements DirectoryStream<Path> {
  private final HeadpondFileSystem fileSystem;
  private final DirectoryStream<Path> stream;

  HeadpondDirectoryStream(final HeadpondFileSystem fileSystem, final DirectoryStream<Path> stream) {
    this.fileSystem = fileSystem;
    this.stream = stream;
  }

  @Override
  public Iterator<Path> iterator() {
    return new WrappingIterator(stream.iterator(), fileSystem);
  }

  @Override
  public void close() throws IOException {
    stream.close();
  }

  private record WrappingIterator(Iterator<Path> iterator, HeadpondFileSystem fileSystem)
      implements Iterator<Path> {
    @Override
    public boolean hasNext() {
      return iterator.hasNext();
    }

    @Override
    public Path next() {
      return fileSystem.wrap(iterator.next());
    }

    @Override
    public void remove() {
      iterator.remove();
    }
  }
}
