/**
 * {@code headpond doctor}: what this machine, these directories and this configuration are good
 * for.
 */
package io.headpond.cli.doctor;
