// SPDX-License-Identifier: Apache-2.0
package io.headpond.nio;

import io.headpond.store.segment.FileTimes;
import java.io.IOException;
import java.nio.file.attribute.BasicFileAttributeView;
import java.nio.file.attribute.BasicFileAttributes;
import java.nio.file.attribute.FileTime;
import java.nio.file.attribute.GroupPrincipal;
import java.nio.file.attribute.PosixFileAttributeView;
import java.nio.file.attribute.PosixFileAttributes;
import java.nio.file.attribute.PosixFilePermission;
import java.nio.file.attribute.UserPrincipal;
import java.util.Set;

/** A file's attributes, and views of them, with the logical length of a segment. */
class LogicalAttributes implements BasicFileAttributes {
  private final BasicFileAttributes attributes;
  private final long size;

  private LogicalAttributes(final BasicFileAttributes attributes, final long size) {
    this.attributes = attributes;
    this.size = size;
  }

  /**
   * Replaces the size.
   *
   * @param type what the caller asked for
   * @param size logical length, bytes
   * @return the attributes as they are if they are a link's, or of a type of one platform
   */
  static <A extends BasicFileAttributes> A of(
      final A attributes, final Class<A> type, final long size) {
    if (!attributes.isRegularFile()) {
      return attributes;
    }
    if (type == BasicFileAttributes.class) {
      return type.cast(new LogicalAttributes(attributes, size));
    }
    return type == PosixFileAttributes.class
        ? type.cast(new Posix((PosixFileAttributes) attributes, size))
        : attributes;
  }

  @Override
  public FileTime lastModifiedTime() {
    return attributes.lastModifiedTime();
  }

  @Override
  public FileTime lastAccessTime() {
    return attributes.lastAccessTime();
  }

  @Override
  public FileTime creationTime() {
    return attributes.creationTime();
  }

  @Override
  public boolean isRegularFile() {
    return attributes.isRegularFile();
  }

  @Override
  public boolean isDirectory() {
    return attributes.isDirectory();
  }

  @Override
  public boolean isSymbolicLink() {
    return attributes.isSymbolicLink();
  }

  @Override
  public boolean isOther() {
    return attributes.isOther();
  }

  @Override
  public long size() {
    return size;
  }

  @Override
  public Object fileKey() {
    return attributes.fileKey();
  }

  private static final class Posix extends LogicalAttributes implements PosixFileAttributes {
    private final PosixFileAttributes attributes;

    Posix(final PosixFileAttributes attributes, final long size) {
      super(attributes, size);
      this.attributes = attributes;
    }

    @Override
    public UserPrincipal owner() {
      return attributes.owner();
    }

    @Override
    public GroupPrincipal group() {
      return attributes.group();
    }

    @Override
    public Set<PosixFilePermission> permissions() {
      return attributes.permissions();
    }
  }

  /** Sets the times of one file. */
  interface TimesOfFile {
    void set(FileTimes times) throws IOException;
  }

  /**
   * Replaces what a basic or POSIX view reads, and how it sets times.
   *
   * @param view the built-in one
   * @return the view as it is if it is of another type
   */
  static <V> V view(
      final Class<V> type,
      final V view,
      final FollowedLink.Question<? extends BasicFileAttributes> attributes,
      final TimesOfFile times) {
    if (type == BasicFileAttributeView.class) {
      return type.cast(new View((BasicFileAttributeView) view, attributes, times));
    }
    return type == PosixFileAttributeView.class
        ? type.cast(new PosixView((PosixFileAttributeView) view, attributes, times))
        : view;
  }

  /** The basic view of a file. */
  static class View implements BasicFileAttributeView {
    private final BasicFileAttributeView view;
    private final FollowedLink.Question<? extends BasicFileAttributes> source;
    private final TimesOfFile times;

    View(
        final BasicFileAttributeView view,
        final FollowedLink.Question<? extends BasicFileAttributes> source,
        final TimesOfFile times) {
      this.view = view;
      this.source = source;
      this.times = times;
    }

    @Override
    public String name() {
      return view.name();
    }

    @Override
    public BasicFileAttributes readAttributes() throws IOException {
      return source.ask();
    }

    @Override
    public void setTimes(
        final FileTime lastModifiedTime, final FileTime lastAccessTime, final FileTime createTime)
        throws IOException {
      times.set(() -> view.setTimes(lastModifiedTime, lastAccessTime, createTime));
    }
  }

  /** The POSIX view of a file. */
  static final class PosixView extends View implements PosixFileAttributeView {
    private final PosixFileAttributeView posix;

    PosixView(
        final PosixFileAttributeView view,
        final FollowedLink.Question<? extends BasicFileAttributes> source,
        final TimesOfFile times) {
      super(view, source, times);
      posix = view;
    }

    @Override
    public PosixFileAttributes readAttributes() throws IOException {
      return (PosixFileAttributes) super.readAttributes();
    }

    @Override
    public UserPrincipal getOwner() throws IOException {
      return posix.getOwner();
    }

    @Override
    public void setOwner(final UserPrincipal owner) throws IOException {
      posix.setOwner(owner);
    }

    @Override
    public void setGroup(final GroupPrincipal group) throws IOException {
      posix.setGroup(group);
    }

    @Override
    public void setPermissions(final Set<PosixFilePermission> mode) throws IOException {
      posix.setPermissions(mode);
    }
  }
}
