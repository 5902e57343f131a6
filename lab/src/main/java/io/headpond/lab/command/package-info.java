/** {@code headpond-lab}: measurements on this machine, with baselines in the same run. */
package io.headpond.lab.command;
