import { existsSync } from "node:fs";
import { lackingText, preflightText } from "../drive/preflight-problem.ts";
import { takeBaseline } from "../judge/check-suite.ts";
import type { NotCounted } from "../judge/not-counted.ts";
import { servesAlike } from "../judge/prepare-checkout.ts";
import type { Stand } from "../judge/stand.ts";
import { surroundingsProblems } from "../judge/surroundings.ts";
import { Fault } from "../kernel/fault.ts";
import type { CheckOptions } from "./check-bench.ts";
import { requireEnd } from "./require-results.ts";

/**
 * Runs the base, or takes what is kept of it; what is red there runs once more where the user works.
 *
 * @returns tests of the base that pass only where the user works
 * @throws Fault `checkouts-lacking` where that passes there, unless `anyway`
 */
export async function takeBase(
	stand: Stand,
	start: string,
	{
		anyway = false,
		onNotice = () => undefined,
		isForeign,
		asked,
	}: Pick<CheckOptions, "anyway" | "onNotice"> & {
		readonly isForeign: boolean;
		/** Words of the command line. */
		readonly asked: readonly string[];
	},
): Promise<readonly NotCounted[]> {
	const { checks } = stand.workflow;
	await takeBaseline(stand, start);
	requireEnd(await stand.evidence.ofBase(), { checks, asked });
	const problems = isForeign ? [] : await surroundingsProblems(stand, start);
	const found = problems.flatMap((each) => (each.kind === "lacking" ? [each] : []));
	for (const problem of problems)
		if (anyway || problem.kind === "untried") onNotice(preflightText(problem));
	if (found.length > 0 && !anyway)
		throw new Fault(found.map((each) => `check ${each.check}: ${lackingText(each)}`).join("\n"), {
			code: "checkouts-lacking",
			hint: [HINT, ["spar check", ...asked, "--anyway"].join(" ")].join("\n"),
		});
	// The base's setup would be taken for that of the work.
	const { checks: place } = stand.places;
	if (existsSync(place.dir) && !(await servesAlike(stand, place, start))) await place.remove();
	return found.flatMap(({ check, cases }) =>
		(cases.length === 0 ? [check] : cases).map((test) => ({ test, why: PASSES_THERE })),
	);
}

const PASSES_THERE = "on the base it passes only where you work";

const HINT = [
	"This work could break these tests unseen. Bring in what is lacking with sparring.yaml (spar init writes one), or name a command that makes it: spar check --command CMD",
	"To go on without counting these tests:",
].join("\n");
