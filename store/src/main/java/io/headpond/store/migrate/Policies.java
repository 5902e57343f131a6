// SPDX-License-Identifier: Apache-2.0
package io.headpond.store.migrate;

import java.lang.reflect.Constructor;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Function;
import java.util.stream.Collectors;

/** Makes the policy that a configuration names. */
public final class Policies {
  /** The default first. */
  private static final Map<String, Known> BY_NAME = new LinkedHashMap<>();

  static {
    BY_NAME.put("freshness", new Known("the last written ones", s -> new FreshnessPolicy()));
    BY_NAME.put("heat", new Known("the most read ones", s -> new HeatPolicy()));
    BY_NAME.put("age", new Known("those not older than headpond.migrate.age", AgePolicy::new));
  }

  /**
   * A policy of Headpond.
   *
   * @param keeps the segments that stay in fast tiers, in words
   */
  private record Known(String keeps, Function<PolicySettings, MigrationPolicy> made) {}

  private Policies() {}

  /** The names of Headpond's own policies, the default first. */
  public static List<String> names() {
    return List.copyOf(BY_NAME.keySet());
  }

  /** A sentence for each of them: the segments that it keeps in fast tiers. */
  public static String meanings() {
    return BY_NAME.entrySet().stream()
        .map(policy -> policy.getKey() + ": " + policy.getValue().keeps() + ".")
        .collect(Collectors.joining(" "));
  }

  /**
   * The policy of a name.
   *
   * @param name one of {@link #names}, or a class name
   * @param alwaysUp topics that stay up, whatever it says of them
   * @throws IllegalArgumentException with the reason if that is none
   */
  public static MigrationPolicy of(
      final String name, final PolicySettings settings, final TopicPatterns alwaysUp) {
    final MigrationPolicy policy = one(name, settings);
    return alwaysUp.isEmpty() ? policy : new PinnedPolicy(alwaysUp, policy);
  }

  private static MigrationPolicy one(final String name, final PolicySettings settings) {
    final Known known = BY_NAME.get(name);
    return known == null ? named(name, settings) : known.made().apply(settings);
  }

  private static MigrationPolicy named(final String className, final PolicySettings settings) {
    if (className.indexOf('.') < 0) {
      throw new IllegalArgumentException(
          "'" + className + "' is none of " + String.join(", ", names()) + ", and no class name");
    }
    try {
      final Class<?> type = Class.forName(className, true, loader());
      if (!MigrationPolicy.class.isAssignableFrom(type)) {
        throw new IllegalArgumentException(
            className + " does not implement " + MigrationPolicy.class.getName());
      }
      for (final Constructor<?> constructor : type.getConstructors()) {
        final Class<?>[] wants = constructor.getParameterTypes();
        if (wants.length == 1 && wants[0] == PolicySettings.class) {
          return (MigrationPolicy) constructor.newInstance(settings);
        }
      }
      return (MigrationPolicy) type.getConstructor().newInstance();
    } catch (final ClassNotFoundException e) {
      throw new IllegalArgumentException(
          className + " is in no jar of this program's class path (docs/migration.md)", e);
    } catch (final ReflectiveOperationException | LinkageError e) {
      throw new IllegalArgumentException(className + " can't be made: " + e, e);
    }
  }

  /** The class loader of the engine's own plug-ins. */
  private static ClassLoader loader() {
    final ClassLoader context = Thread.currentThread().getContextClassLoader();
    return context == null ? ClassLoader.getSystemClassLoader() : context;
  }
}
