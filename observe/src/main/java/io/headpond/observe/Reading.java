// SPDX-License-Identifier: Apache-2.0
package io.headpond.observe;

/** The value of a bean's attribute, and the sentence that describes it. */
record Reading(String description, Object value) {}
