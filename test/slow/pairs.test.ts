import { expect, test } from "vitest";
import { checkBranch } from "../cheats/check-branch.ts";
import { PAIRS } from "../pairs/pairs.ts";

/** So many pairs are told apart; never lower. */
const TOLD_APART = 0;

test("tests that notice less than before fail, and their honest twins pass without a question", async () => {
	const table: string[] = [];
	const red: string[] = [];
	let told = 0;
	for (const { name, project, twin, loss } of PAIRS) {
		const weakened = await checkBranch({ project, patch: [...twin, ...loss] });
		const honest = await checkBranch({ project, patch: twin });
		const isTold = weakened.verdict === "fail" && honest.verdict === "pass";
		if (isTold) told += 1;
		if (!(weakened.isGreen && honest.isGreen)) red.push(name);
		table.push(`${isTold ? "told" : "NOT "} ${weakened.verdict} ${honest.verdict}: ${name}`);
	}
	expect(red, "a pair whose own tests fail shows nothing").toEqual([]);
	expect(told, table.join("\n")).toBeGreaterThanOrEqual(TOLD_APART);
});
