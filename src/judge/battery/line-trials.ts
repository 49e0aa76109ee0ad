import type { Evidence } from "../../evidence/evidence.ts";
import { filesAt } from "../../git/changes.ts";
import type { TreeEdit } from "../../git/write-tree.ts";
import { lineMutants } from "../../mutation/line-mutants.ts";
import { type CodeMutant, moduleMutants } from "../../mutation/module-mutants.ts";
import { isModulePath, loadModuleParser } from "../../syntax/module-syntax.ts";
import { rewritten } from "../../wall/integrity/vanished.ts";
import type { Notices } from "../../wall/measure/notices.ts";
import { withoutComments } from "../../wall/reading/strip-comments.ts";
import { isCode } from "../../wall/reading/test-places.ts";
import { noticing } from "../../wall/replay/noticing.ts";
import type { Stand } from "../stand.ts";
import type { MeasuredPair, MeasuredSide, MeasurePlan } from "./measure-plan.ts";
import { type Variant, variant } from "./variant.ts";

/** Most runs of the suite, beside the one that told of no answer. */
const MAX_RUNS = 3;
const MAX_FILES = 40;
/** Most mutants of which the first are tried. */
const MAX_POOL = 200;
const NAME = /[A-Za-z_$][\w$]{2,}/g;
const LONGEST = 200;

/** Notices of both sides' tests, by the same changes of the product. */
export interface LineTrials {
	readonly original: Notices;
	readonly changed: Notices;
}

/**
 * Tries what cannot be measured by calls: lines of the product are changed by their text, one at a time, until one that the
 * original tests notice was tried with the changed ones. Each run is stored before the next.
 */
export async function lineTrials(ground: Stand, plan: MeasurePlan): Promise<LineTrials> {
	const tried = { original: new Map<string, string | null>(), changed: new Map(), runs: 0 };
	const [{ path } = { path: "" }] = plan.opened;
	const files = await filesAt(ground.vault, plan.commit);
	const modes = new Map(files.map((file) => [file.path, file.mode]));
	for (const mutant of await mutantsOf(plan)) {
		if (tried.runs + 2 > MAX_RUNS || tried.changed.size > 0) break;
		const { file, text, line, fresh, old } = mutant;
		const what = `${file}:${line} has "${fresh}" instead of "${old}"`.slice(0, LONGEST);
		const edit: TreeEdit = {
			kind: "write",
			path: file,
			mode: modes.get(file) ?? "100644",
			text,
		};
		tried.runs += 1;
		const isNoticed = await isRed(ground, plan, { side: plan.original, edit });
		tried.original.set(what, isNoticed ? path : null);
		if (!isNoticed) continue;
		tried.runs += 1;
		const isStill = await isRed(ground, plan, { side: plan.changed, edit });
		tried.changed.set(what, isStill ? path : null);
	}
	const none = new Set<string>();
	const told = {
		times: new Map<string, number>(),
		lines: none,
		measured: none,
		left: none,
		late: none,
	};
	return {
		original: { ...told, trials: tried.original },
		changed: { ...told, trials: tried.changed },
	};
}

interface Trial {
	readonly side: MeasuredSide;
	readonly edit: TreeEdit;
}

async function isRed(ground: Stand, plan: MeasurePlan, { side, edit }: Trial): Promise<boolean> {
	const edits = [...side.back.filter(({ path }) => path !== edit.path), edit];
	const at = await variant(ground, { of: plan.commit, edits, what: "measure" });
	for (const pair of plan.pairs) {
		const name = `measure/${side.name}/${pair.check.name}/${at.tree}`;
		const known = await ground.evidence.part<boolean>(name);
		const isNoticed = known ?? (await noticed(pair, side, at));
		if (known === undefined) await ground.evidence.keepPart(name, isNoticed);
		if (isNoticed) return true;
	}
	return false;
}

async function noticed(
	{ check, own, replayed }: MeasuredPair,
	{ name }: MeasuredSide,
	at: Variant,
): Promise<boolean> {
	const before: Evidence = name === "original" ? replayed : own;
	const timeoutMs = Math.min(check.timeoutMs ?? Infinity, own.ms * 3 + 5_000);
	const piece = await at.run({
		check: { ...check, name: `measure-${name}:${check.name}`, timeoutMs },
		before,
	});
	return noticing(piece, before) !== null;
}

/** Mutants of the lines that the work changed, then of those with a name that lines of tests had that are gone, then of all. */
async function mutantsOf({
	opened,
	original,
	changed,
	isTest,
}: MeasurePlan): Promise<CodeMutant[]> {
	const product = [...(await changed.view.files())].filter((path) => isCode(path) && !isTest(path));
	const some = product.slice(0, MAX_FILES);
	const [texts, before] = [await changed.view.texts(some), await original.view.texts(some)];
	const gone = opened.flatMap(({ text, head }) => rewritten(text, head, []).gone);
	const names = new Set(gone.flatMap(({ text }) => text.match(NAME) ?? []));
	const files = [...texts].map(([path, text]) => {
		const { fresh } = rewritten(before.get(path) ?? "", text, []);
		const isFresh = new Set(fresh.map(({ number }) => number));
		const ranks = text.split("\n").map((line, at) => {
			const isNamed = line.match(NAME)?.some((name) => names.has(name)) === true;
			return isFresh.has(at + 1) ? 0 : isNamed ? 1 : 2;
		});
		return { path, text, code: withoutComments(text, path), ranks };
	});
	const isModule = ({ path }: { readonly path: string }): boolean => isModulePath(path);
	const parse = files.some(isModule) ? await loadModuleParser() : null;
	return [0, 1, 2].flatMap((rank) => {
		const tier = files.map(({ ranks, ...file }) => {
			return { ...file, lines: ranks.flatMap((own, at) => (own === rank ? at + 1 : [])) };
		});
		const modules = parse === null ? [] : moduleMutants(tier.filter(isModule), parse, MAX_POOL);
		return [...modules, ...lineMutants(tier.filter((file) => !isModule(file)))];
	});
}
