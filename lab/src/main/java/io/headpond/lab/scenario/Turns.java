// SPDX-License-Identifier: Apache-2.0
package io.headpond.lab.scenario;

import io.headpond.harness.load.Pace;
import io.headpond.lab.comparison.Settling;
import java.io.IOException;
import java.util.List;
import java.util.Locale;
import java.util.function.Consumer;

/**
 * Rigs that take turns, one working while the others are idle: neighbours in time are compared, on
 * a machine whose speed may change from one minute to the next. The one that begins changes from
 * round to round, so that none always comes after the same one.
 *
 * @param kind what a load's name has beside the point, as {@code ", 4 journals"}; may be empty
 */
public record Turns(List<Rig> rigs, String kind, ScenarioListener listener) {

  /** The first rate of a search under a limit, as a share of the rate at full speed. */
  private static final double SEARCH_FROM = 0.5;

  public Turns {
    rigs = List.copyOf(rigs);
  }

  /** The work of one rig while the others are idle. */
  public interface Turn<R extends Rig> {
    void take(R rig) throws IOException, InterruptedException;
  }

  /** One turn of every rig; in the next round another one begins. */
  public static <R extends Rig> void round(List<R> rigs, int round, Turn<R> turn)
      throws IOException, InterruptedException {
    for (int i = 0; i < rigs.size(); i++) {
      R rig = rigs.get((i + round - 1) % rigs.size());
      Settling.await(rig.quiet());
      turn.take(rig);
    }
  }

  /** Only some of the rigs. */
  public Turns of(List<Rig> some) {
    return new Turns(some, kind, listener);
  }

  /** The code of engines and clients gets compiled: at full speed, then at a pace. */
  public void warmUp(Point point, double seconds, double perSecond)
      throws IOException, InterruptedException {
    Point half = point.lasting(0, seconds / 2);
    for (Rig rig : rigs) {
      warmUp(rig, half.at(Pace.FULL_SPEED));
      warmUp(rig, half.at(Pace.constant(perSecond)));
    }
  }

  /** The same at the point's own pace alone. */
  public void warmUp(Point point, double seconds) throws IOException, InterruptedException {
    for (Rig rig : rigs) {
      warmUp(rig, point.lasting(0, seconds));
    }
  }

  private void warmUp(Rig rig, Point point) throws IOException, InterruptedException {
    PointRun.measure(rig, point, rig.variant().key() + ", warming up", listener::progress);
  }

  /** One point on every rig, round by round; the listener gets the figures. */
  public void measure(Point point, int rounds) throws IOException, InterruptedException {
    measure(point, rounds, turn -> {});
  }

  /** The same, for one who wants to know each turn too. */
  public void measure(Point point, int rounds, Consumer<PointTurn> also)
      throws IOException, InterruptedException {
    for (int round = 1; round <= rounds; round++) {
      String of = of(round, rounds);
      int number = round;
      round(rigs, round, rig -> also.accept(turn(rig, point, number, of)));
    }
  }

  /**
   * One point on every rig, alone and beside a backlog that is read from where old data lies, round
   * by round; the listener gets the figures. What comes first changes from round to round.
   *
   * @param point without a backlog
   */
  public void isolate(Point point, long backlogBytes, int rounds)
      throws IOException, InterruptedException {
    Point replay = point.beside(backlogBytes);
    for (Rig rig : rigs) {
      rig.store(replay);
    }
    for (int round = 1; round <= rounds; round++) {
      String of = of(round, rounds);
      int number = round;
      List<Point> order = round % 2 == 1 ? List.of(point, replay) : List.of(replay, point);
      round(
          rigs,
          round,
          rig -> {
            for (Point each : order) {
              turn(rig, each, number, of);
            }
          });
    }
  }

  private PointTurn turn(Rig rig, Point point, int round, String of)
      throws IOException, InterruptedException {
    PointFigures figures = measure(rig, point, of);
    PointTurn turn = new PointTurn(point.text() + kind, round, rig.variant(), point, figures);
    listener.finished(turn);
    return turn;
  }

  /** The highest rate of every rig under a limit, round by round; the listener gets it. */
  public void search(Point point, LatencyLimit limit, int rounds)
      throws IOException, InterruptedException {
    String load = point.at(Pace.FULL_SPEED).text().replace("full speed", limit.toString()) + kind;
    for (int round = 1; round <= rounds; round++) {
      int number = round;
      round(
          rigs,
          round,
          rig -> {
            String of = of(number, rounds);
            double full = measure(rig, point.at(Pace.FULL_SPEED), of).perSecond();
            RateSearch search =
                RateSearch.run(
                    point,
                    SEARCH_FROM * full,
                    limit,
                    (due, step) -> measure(rig, due, of + ", " + limit + ", step " + step));
            listener.found(new SearchTurn(load, number, rig.variant(), search));
          });
    }
  }

  private PointFigures measure(Rig rig, Point point, String which)
      throws IOException, InterruptedException {
    String text = rig.variant().key() + ", " + point.text() + kind + ", " + which;
    return PointRun.measure(rig, point, text, listener::progress);
  }

  private static String of(int round, int rounds) {
    return String.format(Locale.ROOT, "round %d of %d", round, rounds);
  }
}
