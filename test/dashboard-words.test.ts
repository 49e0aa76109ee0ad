import { expect, test } from "vitest";
import * as page from "../dashboard/format/words.ts";
import { MOST_ATTEMPTS } from "../dashboard/task/task-story.ts";
import { retryAfter } from "../src/agents/retry.ts";
import { RUN_STATUS_WORDS, TASK_STATUS_WORDS } from "../src/app/status-words.ts";
import * as terminal from "../src/cli/words.ts";
import { TRIGGER_WORDS } from "../src/human/trigger-words.ts";

/*
 * The page may import nothing of the source but the protocol's types, so it has tables of its own; they say the same.
 */

test("page and terminal use the same words for the same states", () => {
	expect(page.PHASE_WORDS).toEqual(terminal.PHASE_WORDS);
	expect(page.TASK_STATUS_WORDS).toEqual(TASK_STATUS_WORDS);
	expect(page.RUN_STATUS_WORDS).toEqual(RUN_STATUS_WORDS);
	expect(page.TRIGGER_WORDS).toEqual(TRIGGER_WORDS);
});

test("a flag has the words of the terminal", () => {
	for (const flag of ["sign_off", "unchecked", "max_iterations_exceeded"]) {
		expect(page.flagWords(flag)).toBe(terminal.flagWords(flag));
	}
});

test("the page counts as many attempts of a call as are made", () => {
	const delays = Array.from({ length: MOST_ATTEMPTS }, (_, failed) =>
		retryAfter("network", failed + 1),
	);
	expect(delays.indexOf(null)).toBe(MOST_ATTEMPTS - 1);
});
