import { expect, test } from "vitest";
import { aFinding } from "../../review/finding-builder.fixture.ts";
import type { Write } from "../../store/records.ts";
import { aLog } from "../scene.contract.ts";
import { disputed, findingChanged, overruledWhole } from "./findings.ts";

const log = aLog(2, "player_turn");
const dataOf = (writes: readonly Write[]) =>
	writes.flatMap((write) => (write.kind === "event" ? [write.event.data] : []));

test("a dispute is stored with its finding and told with its words; one without effect is told with the reason", () => {
	const writes = disputed(
		log,
		[aFinding()],
		[
			{ finding: "f1", reason: "it does", evidence: "npm test" },
			{ finding: "F9", reason: "no" },
		],
	);
	expect(writes).toMatchObject([
		{ kind: "finding", finding: { id: "F1", state: "disputed", dispute: { turn: 2 } } },
		{
			event: {
				type: "finding-changed",
				data: {
					finding: "F1",
					state: "disputed",
					argument: { by: "player", text: "it does", evidence: "npm test" },
				},
			},
		},
		{
			event: {
				type: "dispute-ignored",
				data: { finding: "F9", reason: "it is not an open finding" },
			},
		},
	]);
});

test("a change without words has no argument, and blank words are none", () => {
	expect(dataOf(findingChanged(log, aFinding()))[0]).toMatchObject({ argument: undefined });
	const blank = { by: "coach", text: " \n", evidence: "\t" } as const;
	expect(dataOf(findingChanged(log, aFinding(), blank))[0]).toMatchObject({ argument: undefined });
	const shown = { by: "player", text: " ", evidence: " npm test " } as const;
	expect(dataOf(findingChanged(log, aFinding(), shown))[0]).toMatchObject({
		argument: { text: "", evidence: "npm test" },
	});
});

test("huge words are cut in the event, the finding keeps them", () => {
	const reason = "😀".repeat(50_000);
	const disputes = [{ finding: "F1", reason, evidence: reason }];
	const writes = disputed(log, [aFinding()], disputes);
	expect(writes[0]).toMatchObject({ finding: { dispute: { reason } } });
	const [data] = dataOf(writes);
	const argument = data !== undefined && "argument" in data ? data.argument : undefined;
	expect(argument?.text).toHaveLength(4_000);
	expect(argument?.text.isWellFormed()).toBe(true);
	expect(argument?.evidence?.endsWith("…")).toBe(true);
});

test("taking the work as a whole overrules every open finding in a person's name", () => {
	expect(overruledWhole(log, [aFinding(), aFinding({ id: "F2" })])).toMatchObject([
		{
			finding: {
				id: "F1",
				state: "overruled",
				ruling: { by: "person", decision: "PASS", turn: 2 },
			},
		},
		{ event: { type: "finding-changed", data: { argument: { by: "person" } } } },
		{ finding: { id: "F2", state: "overruled" } },
		{ event: { type: "finding-changed" } },
		{ kind: "task", patch: { openFindings: 0 } },
	]);
});
