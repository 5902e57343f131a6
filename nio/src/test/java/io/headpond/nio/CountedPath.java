// SPDX-License-Identifier: Apache-2.0
package io.headpond.nio;

import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.lang.reflect.Proxy;
import java.nio.file.Path;
import java.util.concurrent.atomic.AtomicLong;

/** A path of the built-in file system that counts how often a real path is asked for. */
final class CountedPath {
  private final AtomicLong realPaths = new AtomicLong();

  /** How often since the last call. */
  long taken() {
    return realPaths.getAndSet(0);
  }

  /** Counts what is asked of the path, and of each that is made from it. */
  Path of(final Path path) {
    return (Path)
        Proxy.newProxyInstance(
            getClass().getClassLoader(),
            new Class<?>[] {Path.class},
            (self, method, arguments) -> call(path, method, arguments));
  }

  private Object call(final Path path, final Method method, final Object... arguments)
      throws Throwable {
    if (method.getName().equals("toRealPath")) {
      realPaths.incrementAndGet();
    }
    final Object[] plain = arguments == null ? null : arguments.clone();
    for (int i = 0; plain != null && i < plain.length; i++) {
      plain[i] = unwrapped(plain[i]);
    }
    try {
      final Object result = method.invoke(path, plain);
      return result instanceof Path made ? of(made) : result;
    } catch (final InvocationTargetException e) {
      throw e.getCause();
    }
  }

  private static Object unwrapped(final Object argument) {
    return argument instanceof Path path && Proxy.isProxyClass(path.getClass())
        ? Path.of(path.toString())
        : argument;
  }
}
