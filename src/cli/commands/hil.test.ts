import { expect, test } from "vitest";
import { humanItem, runReport, spar } from "../fakes.contract.ts";

function answering() {
	const asked: unknown[] = [];
	return {
		asked,
		sparring: {
			resolveItem: (...args: unknown[]) => {
				asked.push(args);
				return Promise.resolve(humanItem({ status: "RESOLVED" }));
			},
			status: () => Promise.resolve(runReport("paused_for_user_escalation")),
		},
	};
}

test("what is added to a budget is passed on as an amount and a duration", async () => {
	const { asked, sparring } = answering();
	await spar(["hil", "resolve", "H1", "--add-usd", "0.50", "--add-wall", "30m"], { sparring });
	await spar(["hil", "resolve", "H1", "--add-usd", "5"], { sparring });
	expect(asked).toEqual([
		["H1", { addUsd: 0.5, addWall: "30m" }],
		["H1", { addUsd: 5 }],
	]);
});

test.each(["five", "1e3", "-5", "0x10", "", " 5", "$5", "Infinity"])(
	"--add-usd %j is handed on as no amount, for the item to refuse",
	async (text) => {
		const { asked, sparring } = answering();
		await spar(["hil", "resolve", "H1", `--add-usd=${text}`], { sparring });
		expect(asked).toEqual([["H1", { addUsd: Number.NaN }]]);
	},
);
