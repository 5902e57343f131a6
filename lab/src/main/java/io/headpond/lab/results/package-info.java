/**
 * The results of the benchmarks, for all of them alike: circumstances and figures in one document,
 * two such documents compared, and any number of them shown on one page.
 */
package io.headpond.lab.results;
