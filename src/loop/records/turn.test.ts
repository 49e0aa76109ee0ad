import { expect, test } from "vitest";
import { parseCoachReport, parsePlayerReport } from "../../agents/report.ts";
import { aLog } from "../scene.contract.ts";
import { playerReported, statementsOf } from "./turn.ts";

const log = aLog(2, "player_turn");

test("a player's report is told in bounds: long texts are cut, long lists end, concerns are lines", () => {
	const parsed = parsePlayerReport(
		JSON.stringify({
			files_modified: Array(300).fill("a.js"),
			implementation_notes: ` ${"n".repeat(5_000)} `,
			concerns: ["slow\n?", " "],
		}),
	);
	const [, write] = parsed.ok
		? playerReported(log, { player: "dev", from: "c0" }, parsed.report)
		: [];
	expect(write).toMatchObject({
		event: {
			type: "player-reported",
			data: {
				files_modified: Array(200).fill("a.js"),
				files_created: [],
				implementation_notes: `${"n".repeat(3_999)}…`,
				concerns: ["slow ?"],
			},
		},
	});
});

test("each statement on a criterion is told as it was made, also one about a text that is no criterion", () => {
	const statements = [
		{ criterion: "refuses", met: true, evidence: "ran it", tests: ["refuses"] },
		{ criterion: "refuses", met: false },
		{ criterion: "something else", met: true, evidence: " " },
	];
	const parsed = parseCoachReport(
		JSON.stringify({ decision: "feedback", requirements_status: statements }),
	);
	expect(parsed.ok && statementsOf(parsed.report.requirements_status)).toEqual([
		statements[0],
		{ criterion: "refuses", met: false, evidence: null, tests: [] },
		{ criterion: "something else", met: true, evidence: null, tests: [] },
	]);
	const many = JSON.stringify({
		decision: "feedback",
		requirements_status: Array(300).fill(statements[0]),
	});
	const long = parseCoachReport(many);
	expect(long.ok && statementsOf(long.report.requirements_status)).toHaveLength(200);
});
