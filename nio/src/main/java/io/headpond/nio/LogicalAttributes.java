// SPDX-License-Identifier: Apache-2.0
package io.headpond.nio;

import io.headpond.store.segment.FileTimes;
import java.io.IOException;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.lang.reflect.Proxy;
import java.nio.file.attribute.BasicFileAttributeView;
import java.nio.file.attribute.BasicFileAttributes;
import java.nio.file.attribute.FileTime;
import java.nio.file.attribute.PosixFileAttributeView;
import java.nio.file.attribute.PosixFileAttributes;

/** A file's attributes, and views of them, with the logical length of a segment. */
final class LogicalAttributes {
  /** Sets the times of one file. */
  interface TimesOfFile {
    void set(FileTimes times) throws IOException;
  }

  private LogicalAttributes() {}

  /**
   * Replaces the size.
   *
   * @param type what the caller asked for
   * @param size logical length, bytes
   * @return the attributes as they are if they are a link's, or of a type of one platform
   */
  static <A extends BasicFileAttributes> A of(
      final A attributes, final Class<A> type, final long size) {
    final boolean known = type == BasicFileAttributes.class || type == PosixFileAttributes.class;
    return known && attributes.isRegularFile()
        ? proxy(
            type,
            (method, arguments) ->
                method.getName().equals("size") ? size : invoke(attributes, method, arguments))
        : attributes;
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
      final FollowedLink.Question<?> attributes,
      final TimesOfFile times) {
    if (type != BasicFileAttributeView.class && type != PosixFileAttributeView.class) {
      return view;
    }
    return proxy(
        type,
        (method, arguments) ->
            switch (method.getName()) {
              case "readAttributes" -> attributes.ask();
              case "setTimes" -> {
                times.set(() -> setTimes((BasicFileAttributeView) view, arguments));
                yield null;
              }
              default -> invoke(view, method, arguments);
            });
  }

  private static void setTimes(final BasicFileAttributeView view, final Object... times)
      throws IOException {
    view.setTimes((FileTime) times[0], (FileTime) times[1], (FileTime) times[2]);
  }

  /** A call of an interface's method. */
  private interface Call {
    Object of(Method method, Object... arguments) throws Throwable;
  }

  private static <T> T proxy(final Class<T> type, final Call call) {
    return type.cast(
        Proxy.newProxyInstance(
            LogicalAttributes.class.getClassLoader(),
            new Class<?>[] {type},
            (proxy, method, arguments) -> call.of(method, arguments)));
  }

  private static Object invoke(final Object target, final Method method, final Object... arguments)
      throws Throwable {
    try {
      return method.invoke(target, arguments);
    } catch (final InvocationTargetException e) {
      throw e.getCause();
    }
  }
}
