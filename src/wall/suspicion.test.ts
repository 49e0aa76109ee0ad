import { expect, test } from "vitest";
import { keptSuspicion, RULES, type SuspicionRule, suspicion } from "./suspicion.ts";

const ABOUT = { file: "a.js", line: 3, text: "+ process.exit(1);" } as const;
const raised = (rule: SuspicionRule) => suspicion({ ...ABOUT, rule }, ["around"]);

test("rules that ask the same of a person are one kind, of at most twelve", () => {
	const kinds = new Set(Object.values(RULES).map(({ kind }) => kind));
	expect(kinds.size).toBeLessThanOrEqual(12);
	expect(raised("ends_process")).toMatchObject({ rule: "ends_process", kind: "acts_on_tests" });
});

test("an id is what it was before rules had names, so that what people wrote down holds", () => {
	expect(raised("ends_process").id).toBe("s-6f669d7f");
	const ids = (["hidden_characters", "read_otherwise", "picture_text"] as const).map(raised);
	expect(new Set(ids.map(({ id }) => id))).toEqual(new Set(["s-b3fe23ba"]));
});

test("a suspicion that an older version kept is read by the rule that was its kind then", () => {
	const { rule, ...now } = raised("special_cased");
	expect(keptSuspicion({ ...now, kind: rule })).toEqual(raised("special_cased"));
	expect(keptSuspicion(raised("tells_judge"))).toEqual(raised("tells_judge"));
	// What was asked is a kind of the same name, and another rule's.
	expect(keptSuspicion({ ...now, kind: "test_changed" })).toMatchObject({ rule: "test_changed" });
});
