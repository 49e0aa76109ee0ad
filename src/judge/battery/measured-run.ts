import type { Evidence } from "../../evidence/evidence.ts";
import { filesAt } from "../../git/changes.ts";
import type { TreeEdit } from "../../git/write-tree.ts";
import { randomId } from "../../kernel/ids.ts";
import { treeReader } from "../../wall/language/languages.ts";
import { measuredTexts } from "../../wall/measure/measured-texts.ts";
import { joined, type Notices, noticesIn } from "../../wall/measure/notices.ts";
import type { Stand } from "../stand.ts";
import { pythonRunner } from "../syntax-runner.ts";
import type { MeasuredPair, MeasuredSide, MeasurePlan } from "./measure-plan.ts";
import { variant } from "./variant.ts";

const MAX_MANIFESTS = 50;
/** As many results as one report may name. */
const MAX_LINES = 19_000;
/** Time of repetitions beyond what the suite itself takes, in milliseconds. */
const TRIALS_MS = 20_000;

/** Notices of a side's tests on its product; null where a run told none. Stored, so that a kill repeats one at most. */
export async function noticesOf(
	ground: Stand,
	plan: MeasurePlan,
	side: MeasuredSide,
): Promise<Notices | null> {
	const found: Notices[] = [];
	for (const pair of plan.pairs) {
		const name = `measure/${side.name}/${pair.check.name}/${plan.commit}`;
		const known = await ground.evidence.part<Evidence["cases"]>(name);
		const cases = known === undefined ? await measuredRun(ground, plan, { side, pair }) : known;
		if (known === undefined) await ground.evidence.keepPart(name, cases);
		if (cases === null) return null;
		found.push(noticesIn(cases));
	}
	return joined(found);
}

async function measuredRun(
	ground: Stand,
	{ isTest }: MeasurePlan,
	{
		side,
		pair: { check, own },
	}: { readonly side: MeasuredSide; readonly pair: Pick<MeasuredPair, "check" | "own"> },
): Promise<Evidence["cases"]> {
	const { of, view, back, files, name } = side;
	const token = randomId(16);
	const texts = new Map(await view.texts(files));
	// The replay's text of a file has no cases that may go.
	for (const edit of back)
		if (edit.kind === "write" && texts.has(edit.path)) texts.set(edit.path, edit.text);
	const all = [...(await view.files())];
	const manifests = all
		.filter((path) => /(?:^|\/)package\.json$/.test(path))
		.slice(0, MAX_MANIFESTS);
	const measured = await measuredTexts(
		[...texts].map(([path, text]) => ({ path, text })),
		{
			trees: treeReader(pythonRunner(ground)),
			token,
			isTest,
			manifests: [...(await view.texts(manifests)).values()],
			// With `src`, which tools put before names.
			roots: new Set(all.flatMap((path) => path.replace(/^src\//, "").split(/[/.]/, 1))),
		},
	);
	if (measured.length === 0) return [];
	const modes = new Map((await filesAt(ground.vault, of)).map(({ path, mode }) => [path, mode]));
	const edits = [...measured, { path: token, text: "" }].map(({ path, text }): TreeEdit => {
		return { kind: "write", path, mode: modes.get(path) ?? "100644", text };
	});
	const written = new Set(measured.map(({ path }) => path));
	const others = back.filter(({ path }) => !written.has(path));
	const at = await variant(ground, { of, edits: [...others, ...edits], what: "measure" });
	const run = [
		`export SPAR_MEASURE_UNTIL=$(($(date +%s) + ${Math.ceil((own.ms * 2 + TRIALS_MS) / 1000)}))`,
		// What is red, or ends otherwise than it does unmeasured, tells nothing.
		`(\n${check.run}\n) || exit 1`,
		`head -n ${MAX_LINES} ${token} > ${token}.tap`,
		// Nobody knows what the cases beyond them call.
		`[ $(wc -l < ${token}) -le ${MAX_LINES} ] || echo "ok - ${token}:0 > measured # SKIP" >> ${token}.tap`,
		`echo "1..$(grep -c -e '^ok' -e '^not' ${token}.tap)" >> ${token}.tap`,
	].join("\n");
	const timeoutMs = Math.min(check.timeoutMs ?? Infinity, own.ms * 5 + 3 * TRIALS_MS);
	const report = { format: "tap", path: `${token}.tap` } as const;
	const piece = await at.run({
		check: { ...check, name: `measure-${name}:${check.name}`, run, report, timeoutMs },
	});
	return piece.exitCode === 0 ? piece.cases : null;
}
