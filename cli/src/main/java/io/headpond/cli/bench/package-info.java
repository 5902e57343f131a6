/** {@code headpond bench}: measurements on this machine, with rivals in the same run. */
package io.headpond.cli.bench;
