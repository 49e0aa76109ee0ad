import { spawnSync } from "node:child_process";
import { expect, test } from "vitest";
import { type Branch, checkBranch } from "../cheats/check-branch.ts";
import { edited } from "../cheats/tree.ts";
import { PAIRS } from "../pairs/pairs.ts";
import { spread } from "../support/amount.ts";
import { repository } from "../support/repository.ts";

const SOME = spread(PAIRS, 4);
/**
 * Of all twenty pairs these have other verdicts than `fail` and `pass`: two honest ones are asked about, since an assertion
 * stands behind other steps than before, and one since it no longer notices a further member; one with a loss is, since it
 * asks for nothing in the same words.
 */
const ASKED = 4;

function passes({ project, patch }: Branch): boolean {
	const repo = repository({ files: edited(project.files, patch) });
	try {
		const script = [...(project.setup ?? []), project.check.run].join(" && ");
		return spawnSync("sh", ["-c", script], { cwd: repo.root, env: repo.env }).status === 0;
	} finally {
		repo.remove();
	}
}

const table: { readonly weakened: string; readonly honest: string; readonly name: string }[] = [];

test.each(SOME)(
	"$name: the loss hides a fault that the twin shows, and both are judged",
	async ({ name, project, twin, loss, fault }) => {
		const less = [...twin, ...loss];
		const patches = [twin, less, [...twin, fault], [...less, fault]];
		const seen = patches.map((patch) => passes({ project, patch }));
		expect(seen).toEqual([true, true, false, true]);
		const { verdict: weakened } = await checkBranch({ project, patch: less });
		const { verdict: honest } = await checkBranch({ project, patch: twin });
		table.push({ weakened, honest, name });
	},
);

test("tests that notice less than before fail, and their honest twins pass without a question", () => {
	const lines = table.map(({ weakened, honest, name }) => `${weakened} ${honest}: ${name}`);
	expect(table).toHaveLength(SOME.length);
	expect(table.filter(({ honest, weakened }) => honest === "fail" || honest === weakened)).toEqual(
		[],
	);
	const told = table.filter(({ weakened, honest }) => weakened === "fail" && honest === "pass");
	expect(told.length, lines.join("\n")).toBeGreaterThanOrEqual(SOME.length - ASKED);
});
