/** {@code headpond-lab}: measurements on this machine, with rivals in the same run. */
package io.headpond.lab.command;
