// SPDX-License-Identifier: Apache-2.0
package io.headpond.store.config;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.nio.charset.StandardCharsets;
import java.nio.file.FileSystems;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.OptionalLong;
import java.util.Properties;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledIfSystemProperty;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

final class StoreConfigTest {
  @TempDir Path directory;

  private static Properties valid() {
    final Properties properties = new Properties();
    properties.setProperty("headpond.tiers", "pmem, nvme");
    properties.setProperty("headpond.tier.pmem.paths", "/mnt/pmem0, /mnt/pmem1");
    properties.setProperty("headpond.tier.nvme.paths", "/mnt/nvme");
    properties.setProperty("log.dirs", "/data/a,/data/b");
    properties.setProperty("broker.id", "1");
    return properties;
  }

  private static Properties with(final String key, final String value) {
    final Properties properties = valid();
    properties.setProperty(key, value);
    return properties;
  }

  private static StoreConfig parse(final Properties properties) throws ConfigException {
    return StoreConfig.parse(properties, "server.properties", FileSystems.getDefault());
  }

  private static void refused(
      final Properties properties, final String key, final String... reasons) {
    final var refusal =
        assertThatThrownBy(() -> parse(properties))
            .isInstanceOf(ConfigException.class)
            .hasMessageStartingWith("server.properties: " + key + ": ");
    for (final String reason : reasons) {
      refusal.hasMessageContaining(reason);
    }
  }

  @Test
  void whatIsNotSetIsAsTheReferenceSays() throws Exception {
    final StoreConfig config = parse(valid());
    assertThat(config.source()).isEqualTo("server.properties");
    assertThat(config.tiers()).extracting(TierConfig::name).containsExactly("pmem", "nvme");
    assertThat(config.tiers().get(0).paths())
        .containsExactly(Path.of("/mnt/pmem0"), Path.of("/mnt/pmem1"));
    assertThat(config.tiers().get(0).capacityBytes()).isEmpty();
    assertThat(config.logDirs()).containsExactly(Path.of("/data/a"), Path.of("/data/b"));
    assertThat(config.durability()).isEqualTo(DurabilityMode.ENGINE);
    assertThat(config.homeOnly()).hasToString("__cluster_metadata");
  }

  @Test
  void allProblemsAreToldAtOnce() {
    final Properties bad = valid();
    bad.setProperty("headpond.tiirs", "fast");
    bad.setProperty("headpond.tier.nvme.capacity", "much");
    bad.setProperty("headpond.durability", "fast");
    bad.setProperty("headpond.migrate.threads", "99");
    assertThatThrownBy(() -> parse(bad))
        .isInstanceOfSatisfying(
            ConfigException.class,
            refused -> {
              assertThat(refused)
                  .hasMessageStartingWith("server.properties: 4 problems: (1) headpond.tiirs: ")
                  .hasMessageContaining("; the nearest one is headpond.tiers; (2) ");
              assertThat(refused.messages())
                  .hasSize(4)
                  .allMatch(message -> message.startsWith("server.properties: headpond."))
                  .anyMatch(message -> message.contains("nvme.capacity: 'much' is not a size"))
                  .anyMatch(message -> message.contains("durability: 'fast' is none of"))
                  .anyMatch(message -> message.contains("threads: '99' is not 1 to 16"));
            });
  }

  @Test
  void everyKeyIsRead() throws Exception {
    final Properties all = valid();
    all.setProperty("headpond.tier.nvme.capacity", "600GiB");
    all.setProperty("headpond.durability", " Append ");
    all.setProperty("headpond.log.dirs", "/other");
    all.setProperty("headpond.home.only", "a, b,,a,c-*");
    final StoreConfig config = parse(all);
    assertThat(config.tiers().get(1).capacityBytes()).isEqualTo(OptionalLong.of(600L << 30));
    assertThat(config.durability()).isEqualTo(DurabilityMode.APPEND);
    assertThat(config.logDirs()).containsExactly(Path.of("/other"));
    assertThat(List.of("a", "b", "c-1")).allMatch(config.homeOnly()::match);
    assertThat(List.of("c", "__cluster_metadata")).noneMatch(config.homeOnly()::match);
  }

  @ParameterizedTest
  @CsvSource({
    "0,0",
    "7B,7",
    "1KiB,1024",
    "64MiB,67108864",
    "'64 MiB',67108864",
    "2GiB,2147483648",
    "1TiB,1099511627776",
    "1048576,1048576",
    "999999999999999999,999999999999999999"
  })
  void sizesAreRead(final String text, final long bytes) {
    assertThat(ConfigValues.bytes(text)).isEqualTo(bytes);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "",
        " ",
        "-1",
        "1.5GiB",
        "1GB",
        "1gib",
        "1K",
        "GiB",
        "0x10",
        "1 000",
        "９",
        "8388608TiB",
        "99999999999999999999",
        "1GiB2",
        "600",
        "1048575"
      })
  void whatIsNoSizeIsRefused(final String text) {
    assertThatThrownBy(() -> ConfigValues.bytes(text))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("'" + text);
    refused(with("headpond.tier.nvme.capacity", text), "headpond.tier.nvme.capacity");
  }

  @ParameterizedTest
  @CsvSource({"0ms,0", "250ms,250", "20s,20000", "'2 m',120000", "1h,3600000", "7d,604800000"})
  void durationsAreRead(final String text, final long millis) {
    assertThat(ConfigValues.duration(text)).isEqualTo(Duration.ofMillis(millis));
  }

  @ParameterizedTest
  @ValueSource(strings = {"", "20", "-1s", "1.5s", "1w", "s", "9999999999d", "1 minute"})
  void whatIsNoDurationIsRefused(final String text) {
    assertThatThrownBy(() -> ConfigValues.duration(text))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("'" + text);
    refused(with("headpond.migrate.age", text), "headpond.migrate.age", "'" + text);
  }

  @Test
  void anUnknownKeyIsRefused() {
    refused(with("headpond.tires", "x"), "headpond.tires", "no such key");
    refused(with("headpond.tier.pmem.size", "1"), "headpond.tier.pmem.size", "no such key");
    refused(with("headpond.", "1"), "headpond.", "no such key");
    refused(with("headpond.tier.ssd.paths", "/x"), "headpond.tier.ssd.paths", "no tier 'ssd'");
    refused(with("headpond.tier..paths", "/x"), "headpond.tier..paths");
  }

  @ParameterizedTest
  @CsvSource({
    "headpond.tires, headpond.tiers",
    "headpond.tier.pmem.path, headpond.tier.pmem.paths",
    "headpond.tier.pmem.capasity, headpond.tier.pmem.capacity",
    "headpond.home.olny, headpond.home.only",
    "headpond.teir.nvme.paths, headpond.tier.nvme.paths",
    "headpond.tiers.pmem.capacity, headpond.tier.pmem.capacity",
    "hedpond.durability, headpond.durability",
    "Headpond.home.reserve, headpond.home.reserve",
    "HEADPOND.TIERS, headpond.tiers",
    "headpondtiers, headpond.tiers",
    "haedpond.tier.ssd.paths, headpond.tier.ssd.paths",
  })
  void aMistypedKeyIsToldTheNearestOne(final String typed, final String meant) {
    refused(with(typed, "1"), typed, "; the nearest one is " + meant);
  }

  @Test
  void aKeyThatIsLikeNoOtherIsToldNone() {
    assertThat(NearestKey.of("headpond.something", List.of("headpond.tiers"))).isEmpty();
    assertThat(NearestKey.of("", List.of("abcd"))).isEmpty();
    assertThat(NearestKey.of("rnu", List.of("top", "run"))).contains("run");
    assertThat(NearestKey.of("rnu", List.of("top"))).isEmpty();
    assertThat(NearestKey.of("abc", List.of("xyz", "abcd", "ab"))).contains("abcd");
  }

  @ParameterizedTest
  @ValueSource(
      strings = {"home", "Pmem", "a.b", "a b", "-a", "é", "abcdefghijklmnopqrstuvwxyz0123456"})
  void aBadTierNameIsRefused(final String name) {
    final Properties properties = valid();
    properties.keySet().removeIf(key -> key.toString().startsWith("headpond.tier."));
    properties.setProperty("headpond.tiers", name);
    refused(properties, "headpond.tiers", "'" + name + "' is not a tier name");
  }

  @Test
  void badValuesAreRefused() {
    refused(with("headpond.durability", "maybe"), "headpond.durability", "maybe", "append");
    refused(
        with("headpond.tier.nvme.capacity", "0"), "headpond.tier.nvme.capacity", "at least 1 B");
    refused(with("headpond.tier.nvme.paths", ""), "headpond.tier.nvme.paths", "needs a directory");
    refused(with("headpond.tier.nvme.paths", "mnt/nvme"), "headpond.tier.nvme.paths", "absolute");
    refused(with("headpond.tier.nvme.paths", "/a\0b"), "headpond.tier.nvme.paths", "not a path");
    refused(with("headpond.log.dirs", "data"), "headpond.log.dirs", "absolute");
    final Properties without = valid();
    without.remove("log.dirs");
    refused(without, "headpond.log.dirs", "no log directory");
    refused(with("headpond.log.dirs", " , "), "headpond.log.dirs", "no log directory");
  }

  @Test
  void aDirectoryOfTwoUsesIsRefusedAlsoWhenOneHoldsTheOther() {
    refused(
        with("headpond.tier.nvme.paths", "/mnt/pmem1"), "headpond.tier.nvme.paths", "/mnt/pmem1");
    refused(with("headpond.tier.nvme.paths", "/mnt/pmem1/"), "headpond.tier.nvme.paths");
    refused(with("headpond.tier.nvme.paths", "/mnt/x/../pmem1"), "headpond.tier.nvme.paths");
    refused(
        with("headpond.tier.nvme.paths", "/mnt/pmem1/sub"), "headpond.tier.nvme.paths", "holds");
    refused(
        with("headpond.tier.nvme.paths", "/data/a/tier"), "headpond.tier.nvme.paths", "/data/a");
    refused(with("headpond.tier.nvme.paths", "/data"), "headpond.tier.nvme.paths", "/data/a");
  }

  @Test
  void aDirectoryOfTwoUsesIsRefusedAlsoBehindALink() throws Exception {
    final Path real = Files.createDirectory(directory.resolve("real"));
    final Path link = Files.createSymbolicLink(directory.resolve("link"), real);
    final Properties properties = with("headpond.tier.nvme.paths", link.toString());
    properties.setProperty("log.dirs", real.toString());
    refused(properties, "headpond.tier.nvme.paths", link.toString());
    properties.setProperty("headpond.tier.nvme.paths", link + "/not/there/yet");
    refused(properties, "headpond.tier.nvme.paths", "not/there/yet");
  }

  @Test
  void theLimitsHold() throws Exception {
    final Properties properties = new Properties();
    properties.setProperty("log.dirs", "/data");
    final List<String> names = new ArrayList<>();
    for (int i = 0; i < StoreConfig.TIERS_MAX; i++) {
      names.add("t" + i);
      properties.setProperty("headpond.tier.t" + i + ".paths", "/mnt/t" + i);
    }
    properties.setProperty("headpond.tiers", String.join(",", names));
    assertThat(parse(properties).tiers()).hasSize(StoreConfig.TIERS_MAX);
    properties.setProperty("headpond.tier.more.paths", "/mnt/more");
    properties.setProperty("headpond.tiers", String.join(",", names) + ",more");
    refused(properties, "headpond.tiers", "more than 8 tiers");

    final List<String> paths = new ArrayList<>();
    for (int i = 0; i < ConfigValues.PATHS_MAX; i++) {
      paths.add("/mnt/p" + i);
    }
    final Properties many = with("headpond.tier.nvme.paths", String.join(",", paths));
    assertThat(parse(many).tiers().get(1).paths()).hasSize(ConfigValues.PATHS_MAX);
    many.setProperty("headpond.tier.nvme.paths", String.join(",", paths) + ",/mnt/more");
    refused(many, "headpond.tier.nvme.paths", "more than 64 directories");
  }

  @Test
  void theEnginesOwnLogDirsMayBeRelativeAndLogDirIsTheLastResort() throws Exception {
    assertThat(parse(with("log.dirs", "data/x")).logDirs())
        .containsExactly(Path.of("data/x").toAbsolutePath());
    final Properties single = valid();
    single.remove("log.dirs");
    single.setProperty("log.dir", "/data/single");
    assertThat(parse(single).logDirs()).containsExactly(Path.of("/data/single"));
  }

  @Test
  void withoutTiersNothingIsNeeded() throws Exception {
    final StoreConfig config = parse(new Properties());
    assertThat(config.tiers()).isEmpty();
    assertThat(config.logDirs()).isEmpty();
  }

  @Test
  @EnabledIfSystemProperty(named = "sun.jnu.encoding", matches = "UTF-8")
  void aFileInUtf8WithSpacesInItsPathsIsRead() throws Exception {
    final Path file = directory.resolve("mein server.properties");
    Files.writeString(
        file,
        "headpond.tiers=pmem\nheadpond.tier.pmem.paths=/mnt/schnelle Größe/日本, /mnt/b\n"
            + "log.dirs = /data/mit Leerzeichen\n");
    final StoreConfig config = StoreConfig.load(file);
    assertThat(config.tiers().get(0).paths())
        .containsExactly(Path.of("/mnt/schnelle Größe/日本"), Path.of("/mnt/b"));
    assertThat(config.logDirs()).containsExactly(Path.of("/data/mit Leerzeichen"));
    assertThat(config.source()).isEqualTo(file.toString());
  }

  /** Kafka, and every command, would find another directory there than the text says. */
  @Test
  void aParentBehindALinkIsRefused() throws Exception {
    final Path real = directory.toRealPath();
    final Path target = Files.createDirectories(real.resolve("disk/deep"));
    final Path link = Files.createSymbolicLink(real.resolve("link"), target);
    final String logDir = link.resolve("../logs").toString();
    refused(with("log.dirs", logDir), "log.dirs", logDir, "link", real + "/disk/logs");
    refused(with("headpond.tier.nvme.paths", logDir), "headpond.tier.nvme.paths", logDir);
    final StoreConfig config = parse(with("log.dirs", real + "/disk/./deep/../logs/," + link));
    assertThat(config.logDirs()).containsExactly(real.resolve("disk/logs"), link);
  }

  @Test
  void aFileThatCantBeReadIsRefusedByName() throws Exception {
    final Path missing = directory.resolve("missing.properties");
    assertThatThrownBy(() -> StoreConfig.load(missing))
        .isInstanceOf(ConfigException.class)
        .hasMessageContaining(missing.toString())
        .hasMessageContaining("there is no such configuration file; check its path");
    final Path latin = directory.resolve("latin.properties");
    Files.write(latin, "log.dirs=/Größe".getBytes(StandardCharsets.ISO_8859_1));
    assertThatThrownBy(() -> StoreConfig.load(latin))
        .isInstanceOf(ConfigException.class)
        .hasMessageContaining(latin.toString())
        .hasMessageContaining("no UTF-8 text");
    final Path escape = Files.writeString(directory.resolve("escape"), "a=\\u12");
    assertThatThrownBy(() -> StoreConfig.load(escape))
        .isInstanceOf(ConfigException.class)
        .hasMessageContaining(escape.toString());
  }

  /** Kafka's scripts part KAFKA_OPTS there, whatever quotes it has. */
  @Test
  void aPathThatABlankHasCutIsExplained() throws Exception {
    final Path file = directory.resolve("etc/my kafka/server.properties");
    Files.createDirectories(file.getParent());
    Files.writeString(file, "log.dirs=/logs");
    assertThatThrownBy(() -> StoreConfig.load(directory.resolve("etc/my")))
        .isInstanceOf(ConfigException.class)
        .hasMessageContaining("no such configuration file")
        .hasMessageContaining(file.getParent().toString())
        .hasMessageContaining("JDK_JAVA_OPTIONS");
    assertThatThrownBy(() -> StoreConfig.load(directory.resolve("etc/mine")))
        .isInstanceOf(ConfigException.class)
        .hasMessageEndingWith("check its path");
    assertThatThrownBy(() -> StoreConfig.load(directory.resolve("nowhere/mine")))
        .isInstanceOf(ConfigException.class)
        .hasMessageEndingWith("check its path");
  }

  @Test
  void everyKeyHasItsReference() {
    assertThat(ConfigKey.ALL).extracting(ConfigKey::name).doesNotHaveDuplicates();
    assertThat(ConfigKey.ALL)
        .allSatisfy(
            key -> {
              assertThat(key.name()).startsWith("headpond.");
              assertThat(key.type()).isNotBlank();
              assertThat(key.standard()).isNotBlank();
              assertThat(key.meaning()).endsWith(".");
            });
  }

  @Test
  void theEnginesRetentionIsReadAsTheEngineReadsIt() throws ConfigException {
    assertThat(parse(with("log.retention.hours", "2")).engineRetentionMs()).isEqualTo(7_200_000);
    final Properties both = with("log.retention.hours", "2");
    both.setProperty("log.retention.minutes", "3");
    assertThat(parse(both).engineRetentionMs()).isEqualTo(180_000);
    both.setProperty("log.retention.ms", "-1");
    assertThat(parse(both).engineRetentionMs()).isNegative();
    assertThat(parse(with("log.retention.ms", "soon")).engineRetentionMs()).isNegative();
    assertThat(parse(with("log.segment.bytes", "1")).engineRetentionMs()).isNegative();
  }

  @Test
  void aReserveIsAShareOrASize() throws ConfigException {
    final HomeReserve share = parse(with("headpond.home.reserve", "10%")).homeReserve();
    assertThat(share.bytes(1_000)).isEqualTo(100);
    final HomeReserve size = parse(with("headpond.home.reserve", "1KiB")).homeReserve();
    assertThat(size.bytes(1_000)).isEqualTo(1_024);
    refused(with("headpond.home.reserve", "200%"), "headpond.home.reserve", "not a share");
    refused(with("headpond.home.reserve", "much"), "headpond.home.reserve", "not a size");
    refused(with("headpond.home.reserve", "20"), "headpond.home.reserve", "has no unit");
    refused(with("headpond.home.reserve", "0.05"), "headpond.home.reserve", "written as 5%");
  }

  @Test
  void aPolicyThatIsNoneIsRefused() {
    final String key = "headpond.migrate.policy";
    refused(with(key, "hot"), key, "none of freshness");
    refused(with(key, "heat,age"), key, "none of freshness");
    refused(with(key, "java.lang.String"), key, "does not implement");
    refused(with(key, "no.such.Policy"), key, "no.such.Policy is in no jar");
  }

  @Test
  void aBadValueOfMigrationIsRefused() {
    final String threshold = "headpond.tier.pmem.migrate.threshold";
    refused(with(threshold, "1.5"), threshold, "0 to 1");
    refused(with(threshold, "half"), threshold, "'half' is not a share such as 0.5");
    refused(with(threshold, "50%"), threshold, "'50%' is not a share such as 0.5");
    refused(with("headpond.migrate.threads", "0"), "headpond.migrate.threads", "1 to 16");
  }
}
