import { expect, test } from "vitest";
import { RUN_STATUS_WORDS, TASK_STATUS_WORDS } from "../app/status-words.ts";
import { TRIGGER_WORDS, triggerWords } from "../human/trigger-words.ts";
import { choiceWords, flagWords, PHASE_WORDS, seatName } from "./words.ts";

test("no state is told by the word of the stored format", () => {
	const told = [PHASE_WORDS, RUN_STATUS_WORDS, TASK_STATUS_WORDS, TRIGGER_WORDS].flatMap((words) =>
		Object.values(words),
	);
	expect(told.filter((word) => word.includes("_"))).toEqual([]);
	expect(seatName("tie_breaker", "arbiter")).toBe("tie-breaker arbiter");
	expect(choiceWords("take_developer")).toBe("the player's side");
	expect(triggerWords("role_error")).toBe("unusable answer");
	expect([flagWords("loop_exhausted"), flagWords("sign_off_missing")]).toEqual([
		"turn limit",
		"sign off missing",
	]);
});

test("a word that is not known is told as it is", () => {
	expect([choiceWords("other"), triggerWords("other")]).toEqual(["other", "other"]);
});
