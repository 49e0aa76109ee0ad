import { expect, test } from "vitest";
import { TRIGGER_WORDS, triggerWords } from "../human/headline.ts";
import {
	choiceWords,
	flagWords,
	itemStatusWords,
	PHASE_WORDS,
	RUN_STATUS_WORDS,
	seatName,
	TASK_STATUS_WORDS,
	toneOf,
} from "./states.ts";

test("no state is told by the word of the stored format", () => {
	const told = [PHASE_WORDS, RUN_STATUS_WORDS, TASK_STATUS_WORDS, TRIGGER_WORDS].flatMap((words) =>
		Object.values(words),
	);
	expect(told.filter((word) => word.includes("_"))).toEqual([]);
	expect(seatName("tie_breaker", "arbiter")).toBe("tie-breaker arbiter");
	expect(choiceWords("take_developer")).toBe("the player's side");
	expect(triggerWords("role_error")).toBe("agent failed");
	expect([flagWords("loop_exhausted"), flagWords("sign_off_missing")]).toEqual([
		"turn limit",
		"sign off missing",
	]);
});

test("a word that is not known is told as it is", () => {
	for (const word of ["other", "constructor"]) {
		expect([choiceWords(word), triggerWords(word), itemStatusWords(word)]).toEqual([
			word,
			word,
			word,
		]);
		expect(toneOf(word)).toBe("quiet");
	}
});
