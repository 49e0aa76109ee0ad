import { spawnSync } from "node:child_process";
import { expect, test } from "vitest";
import { type Branch, checkBranch } from "../cheats/check-branch.ts";
import { edited } from "../cheats/tree.ts";
import { PAIRS } from "../pairs/pairs.ts";
import { repository } from "../support/repository.ts";

/** So many pairs are told apart; never lower. */
const TOLD_APART = 0;

function passes({ project, patch }: Branch): boolean {
	const repo = repository({ files: edited(project.files, patch) });
	try {
		const script = [...(project.setup ?? []), project.check.run].join(" && ");
		return spawnSync("sh", ["-c", script], { cwd: repo.root, env: repo.env }).status === 0;
	} finally {
		repo.remove();
	}
}

const table: { readonly isTold: boolean; readonly line: string }[] = [];

test.each(PAIRS)(
	"$name: the loss hides a fault that the twin shows, and both are judged",
	async ({ name, project, twin, loss, fault }) => {
		const less = [...twin, ...loss];
		const patches = [twin, less, [...twin, fault], [...less, fault]];
		const seen = patches.map((patch) => passes({ project, patch }));
		expect(seen).toEqual([true, true, false, true]);
		const { verdict: weakened } = await checkBranch({ project, patch: less });
		const { verdict: honest } = await checkBranch({ project, patch: twin });
		const isTold = weakened === "fail" && honest === "pass";
		table.push({ isTold, line: `${isTold ? "told" : "NOT "} ${weakened} ${honest}: ${name}` });
	},
);

test("tests that notice less than before fail, and their honest twins pass without a question", () => {
	const lines = table.map(({ line }) => line).join("\n");
	expect(table).toHaveLength(PAIRS.length);
	const told = table.filter(({ isTold }) => isTold).length;
	expect(told, lines).toBeGreaterThanOrEqual(TOLD_APART);
});
