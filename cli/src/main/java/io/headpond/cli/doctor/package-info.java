/** {@code headpond doctor}: the check of a machine, of directories and of a configuration. */
package io.headpond.cli.doctor;
