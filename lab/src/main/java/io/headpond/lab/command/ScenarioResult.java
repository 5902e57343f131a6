// SPDX-License-Identifier: Apache-2.0
package io.headpond.lab.command;

import com.fasterxml.jackson.annotation.JsonInclude;
import io.headpond.lab.comparison.Curve;
import io.headpond.lab.hosts.HostReport;
import io.headpond.lab.results.PublishedRow;
import io.headpond.lab.scenario.PointTurn;
import io.headpond.lab.scenario.SearchTurn;
import java.util.List;
import java.util.Map;

/**
 * What a scenario's {@code --json} has beside what all results have.
 *
 * @param places by variant, where it wrote
 * @param points every turn of a point, in the order measured
 * @param searches every turn of a search with its steps
 * @param seeds what was published beside what was measured; empty but for {@code headpond-lab
 *     published}
 * @param hosts that made the load, in the order given; empty: the command did
 */
record ScenarioResult(
    Map<String, String> places,
    List<PointTurn> points,
    List<SearchTurn> searches,
    @JsonInclude(JsonInclude.Include.NON_EMPTY) List<Curve> curves,
    @JsonInclude(JsonInclude.Include.NON_EMPTY) List<PublishedRow> seeds,
    @JsonInclude(JsonInclude.Include.NON_EMPTY) List<HostReport> hosts) {}
