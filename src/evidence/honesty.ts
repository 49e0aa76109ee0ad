import path from "node:path";
import type { FileChange } from "../git/changes.ts";
import type { Evidence } from "./evidence.ts";
import { pathMatcher } from "./integrity/path-match.ts";

/** What a player's report claims that can be looked up. */
export interface Claims {
	readonly files_modified: readonly string[];
	readonly files_created: readonly string[];
	/** Files, perhaps with a case: `test/a.test.js > adds`, `test_a.py::test_adds`. */
	readonly tests_written: readonly string[];
	/** Checks by name or command. */
	readonly checks_passed: readonly string[];
}

/** A claim that is not so. A value; `falseClaimText` puts it into words. */
export type FalseClaim =
	/** Neither this turn nor an earlier one of the task changed the file. */
	| {
			readonly kind: "file";
			readonly said: "modified" | "created" | "written as a test";
			readonly file: string;
	  }
	/** Its file is there, but names no such case, and no case of that name ran. */
	| { readonly kind: "case"; readonly test: string }
	/** Sparring's own run of the check failed. */
	| { readonly kind: "check"; readonly check: string };

/** What claims are held against. */
export interface ClaimGround {
	/** Files that differ, in this turn and since the task began. */
	readonly changes: readonly Pick<FileChange, "path" | "kind">[];
	/** Absolute path that the player may have written before its files; null: none. */
	readonly root: string | null;
	readonly checks: readonly { readonly name: string; readonly run: string }[];
	/** Sparring's own runs on the turn's commit. */
	readonly evidence: readonly Pick<Evidence, "check" | "kind" | "status" | "cases">[];
	/** Text of a file of the turn's commit; null where there is none. */
	readonly textOf: (path: string) => Promise<string | null>;
	/** Those of the paths that are ignored, and so in no diff. */
	readonly ignored: (paths: readonly string[]) => Promise<readonly string[]>;
}

/** A report, held against the diff and Sparring's own runs. */
export interface ClaimAudit {
	/** Claims that could be looked up. */
	readonly judged: number;
	readonly false: readonly FalseClaim[];
}

/** Claims of one list that are looked at. */
const MAX_CLAIMS = 200;

/**
 * Holds the claims of a report against the diff and Sparring's own runs.
 *
 * False is only what is certain. A path may be absolute, relative to a folder, a folder or a glob, carry a remark or a
 * line, or be ignored by git; a case counts as there if the words of its name are; numbers are not compared. What cannot
 * be looked up, such as prose or a masked name, is not judged.
 *
 * @example claims of `["./a.js", "b.js"]` with only `a.js` in the diff give `judged: 2`, and `b.js` as false
 */
export async function auditClaims(claims: Claims, ground: ClaimGround): Promise<ClaimAudit> {
	const files = fileClaims(claims, ground);
	const absent = files.filter(({ isThere }) => !isThere);
	const relative = absent
		.map(({ file }) => file)
		.filter((file) => !/^(?:\/|\.\.(?:\/|$))/.test(file));
	const ignored = new Set(relative.length === 0 ? [] : await ground.ignored(relative));
	const cases = await caseClaims(claims.tests_written, ground);
	const checks = checkClaims(claims.checks_passed, ground);
	return {
		judged: files.length + cases.judged + checks.judged,
		false: [
			...absent.flatMap(({ file, said }): FalseClaim[] =>
				ignored.has(file) ? [] : [{ kind: "file", said, file }],
			),
			...cases.false,
			...checks.false,
		],
	};
}

interface FileClaimed {
	readonly file: string;
	readonly said: Extract<FalseClaim, { readonly kind: "file" }>["said"];
	readonly isThere: boolean;
}

function fileClaims(claims: Claims, { changes, root }: ClaimGround): FileClaimed[] {
	const gone = new Set(changes.filter(({ kind }) => kind === "deleted").map(({ path: of }) => of));
	const changed = changes.map(({ path: of }) => of);
	const kept = changed.filter((each) => !gone.has(each));
	const seen = new Set<string>();
	const claimed = (
		texts: readonly string[],
		said: FileClaimed["said"],
		among: readonly string[],
	): FileClaimed[] =>
		texts.slice(0, MAX_CLAIMS).flatMap((text) => {
			const { file, names } = namesIn(text, root);
			if (file === null || seen.has(file)) return [];
			seen.add(file);
			return [{ file, said, isThere: names.some((name) => namesOneOf(name, among)) }];
		});
	return [
		...claimed(claims.files_created, "created", kept),
		...claimed(claims.files_modified, "modified", changed),
		...claimed(claims.tests_written.map(fileOfTest).filter(isPath), "written as a test", kept),
	];
}

const clean = (text: string, root: string | null): string => {
	const plain = text
		.trim()
		.replaceAll(/^[`'"]+|[`'",;]+$/g, "")
		.replaceAll("\\", "/");
	const local =
		root !== null && plain.startsWith(`${root}/`) ? plain.slice(root.length + 1) : plain;
	return path.posix.normalize(local).replace(/(?<=.)\/$/, "");
};

/** Words for no file at all. */
const NO_FILE = /^(?:\.|-|\/|none|nothing|no|n\/a|null)?$/i;

/** The path that a claim begins with, null where it speaks of none, and all that may be meant by it. */
function namesIn(
	text: string,
	root: string | null,
): { readonly file: string | null; readonly names: readonly string[] } {
	const whole = clean(text.replace(/(?::\d+)+$/, ""), root);
	const words = text.split(/[\s,]+|:\d+|:(?=\s|$)/).map((word) => clean(word, root));
	const isSentence = /[\s,]/.test(text.trim());
	const [first = ""] = isSentence ? words.filter((word) => word !== "") : [whole];
	const isNone = NO_FILE.test(first) || text.includes("[MASKED:") || (isSentence && !isPath(first));
	return { file: isNone ? null : first, names: isSentence ? [whole, ...words] : [whole] };
}

/** Whether a name, however it is spelled, means one of the paths. */
function namesOneOf(name: string, paths: readonly string[]): boolean {
	const wanted = name.toLowerCase();
	if (wanted === "." || wanted === "") return false;
	if (wanted.includes("*")) return paths.some(pathMatcher([name, `**/${name}`]));
	return paths.some((each) => {
		const one = each.toLowerCase();
		return (
			one === wanted ||
			one.startsWith(`${wanted}/`) ||
			one.endsWith(`/${wanted}`) ||
			wanted.endsWith(`/${one}`)
		);
	});
}

const CASE = /::| > | › /;

const fileOfTest = (name: string): string => name.split(CASE)[0] ?? name;

const isPath = (name: string): boolean => !/\s/.test(name) && /\w\/\w|\w\.[a-z]\w*$/i.test(name);

/** Cases that no file and no run names, where the runs name all their cases. */
async function caseClaims(
	tests: readonly string[],
	{ changes, evidence, root, textOf }: ClaimGround,
): Promise<ClaimAudit> {
	const own = evidence.filter(({ kind }) => kind === "acceptance");
	const ids = own.flatMap(({ cases }) => cases?.map(({ id }) => id) ?? []);
	const all = own.length > 0 && own.every(({ cases }) => cases !== null);
	const wrong: FalseClaim[] = [];
	let judged = 0;
	for (const test of all ? tests.slice(0, MAX_CLAIMS) : []) {
		const title = titleOf(test);
		const file = fileOfTest(test);
		if (title === "" || !isPath(file) || test.includes("[MASKED:")) continue;
		const named = changes.find(({ path: of }) => namesOneOf(clean(file, root), [of]));
		const text = named === undefined ? null : await textOf(named.path);
		if (text === null) continue;
		judged += 1;
		if (!hasWords(title, [text, ...ids].join("\n"))) wrong.push({ kind: "case", test });
	}
	return { judged, false: wrong };
}

/** Name of a case, without its suites and its parameters. */
const titleOf = (test: string): string =>
	CASE.test(test) ? (test.split(CASE).at(-1) ?? "").replace(/\[.*\]$/, "") : "";

/** Whether each word of a title occurs somewhere: a title may be made of parts. */
function hasWords(title: string, texts: string): boolean {
	const haystack = texts.toLowerCase();
	const words = title.toLowerCase().match(/[\p{L}_]{3,}/gu) ?? [];
	return words.every((word) => haystack.includes(word));
}

function checkClaims(claimed: readonly string[], { checks, evidence }: ClaimGround): ClaimAudit {
	const wrong = new Set<string>();
	let judged = 0;
	for (const claim of claimed.slice(0, MAX_CLAIMS)) {
		const names = [plainName(claim), plainName(claim.split(/[:(]/)[0] ?? "")];
		for (const { name, run } of checks) {
			if (!names.includes(plainName(name)) && !names.includes(plainName(run))) continue;
			const status = evidence.find(({ check }) => check === name)?.status;
			if (status !== "pass" && status !== "fail") continue;
			judged += 1;
			if (status === "fail") wrong.add(name);
		}
	}
	return { judged, false: [...wrong].map((check) => ({ kind: "check", check })) };
}

const plainName = (text: string): string =>
	text
		.trim()
		.replaceAll(/^[`'"]+|[`'"]+$/g, "")
		.replaceAll(/\s+/g, " ")
		.toLowerCase();

/** What a false claim is about: a file, a test or a check. */
export function subjectOf(claim: FalseClaim): string {
	switch (claim.kind) {
		case "file":
			return claim.file;
		case "case":
			return claim.test;
		case "check":
			return claim.check;
	}
}

/**
 * A false claim as people and models read it.
 *
 * @example `b.js: reported as modified, but not in the diff`
 */
export function falseClaimText(claim: FalseClaim): string {
	switch (claim.kind) {
		case "file":
			return `${claim.file}: reported as ${claim.said}, but not in the diff`;
		case "case":
			return `${claim.test}: reported as a written test, but its file has no such test, and none of that name ran`;
		case "check":
			return `${claim.check}: reported as passed, but it failed when Sparring ran it`;
	}
}
