import path from "node:path";
import type { Evidence } from "../evidence/evidence.ts";
import { pathMatcher } from "../evidence/path-match.ts";
import type { FileChange } from "../git/file-change.ts";
import type { FalseClaim } from "./false-claim.ts";

interface ClaimedNames {
	/** The path that it begins with; null where it speaks of none. */
	readonly file: string | null;
	readonly names: readonly string[];
}

const AROUND = /[^\p{L}\p{N}\w./$~-]+|(?<!\w)__(?=\S*__(?!\w))|__(?!\w)/u;

const PLACE = /(?:[:#]L?\d+(?:-L?\d+)?)+$/;

/** Words for no file at all. */
const NO_FILE = /^(?:\.|-|\/|none|nothing|no|n\/a|null)?$/i;

/**
 * Reads a claim about a file.
 *
 * @param root absolute path that may stand before a name
 * @example `[src/a.js](src/a.js#L3)` names `src/a.js` among others; `all of it` names no file
 */
function namesIn(claim: string, root: string | null): ClaimedNames {
	const text = unquoted(claim);
	const whole = clean(text.replace(PLACE, ""), root);
	const words = text.split(/[\s,]+|:\d+|:(?=\s|$)/).map((word) => clean(word, root));
	const isSentence = /[\s,]/.test(text.trim().replaceAll(/\{[^{}]*\}/g, ""));
	const [first = ""] = isSentence ? words.filter((word) => word !== "") : [whole];
	const isNone = NO_FILE.test(first) || text.includes("[MASKED:") || (isSentence && !isPath(first));
	const inside = text
		.split(AROUND)
		.map((part) => part.replace(/^\/+/, "").replace(/\.+$/, ""))
		.filter(isPath);
	return {
		file: isNone ? null : first,
		names: [whole, ...(isSentence ? words : []), ...inside],
	};
}

/** Without what git, a shell or a link puts in place of a character: `"src/\303\251.ts"`, `my\ notes.md`, `my%20notes.md`. */
function unquoted(text: string): string {
	return text
		.replaceAll(/(?:\\[0-3][0-7]{2})+/g, (octets) =>
			Buffer.from(
				octets
					.slice(1)
					.split("\\")
					.map((octet) => Number.parseInt(octet, 8)),
			).toString(),
		)
		.replaceAll(/\\ |%20/g, " ")
		.replaceAll(/\p{Cf}/gu, "")
		.normalize("NFC");
}

function clean(text: string, root: string | null): string {
	const plain = text
		.trim()
		.replaceAll(/^[`'"]+|[`'",;]+$/g, "")
		.replaceAll("\\", "/");
	const local =
		root !== null && plain.startsWith(`${root}/`) ? plain.slice(root.length + 1) : plain;
	return path.posix.normalize(local).replace(/(?<=.)\/$/, "");
}

function isPath(name: string): boolean {
	return (
		!/\s/.test(name) && /[\p{L}\p{N}_]\/[\p{L}\p{N}_]|[\p{L}\p{N}_)\]}]\.[a-z]\w*$/iu.test(name)
	);
}

/** An ending of a file name. `limiter.test` has none: such names are told without theirs. */
const ENDING = /\.(?!(?:test|spec)$)\w+$/;

/** Tells whether a name in any spelling means one of the paths: itself, or a folder, module or glob that holds it. */
function namesOneOf(name: string, paths: readonly string[]): boolean {
	const wanted = name.toLowerCase();
	if (wanted === "." || wanted === "") return false;
	if (/\*|\{.*,.*\}/.test(wanted) && paths.some(pathMatcher([name, `**/${name}`]))) return true;
	const dotted = wanted.includes("/") ? wanted : wanted.replaceAll(".", "/");
	return paths.some((each) => {
		const one = `/${each.normalize("NFC").toLowerCase()}`;
		return (
			`${one}/`.includes(`/${wanted}/`) ||
			`/${wanted}`.endsWith(one) ||
			(!ENDING.test(wanted) && one.includes(`/${wanted}.`)) ||
			one.includes(`/${dotted}.`)
		);
	});
}

/** Claims of a player's report that can be looked up. */
export interface Claims {
	readonly files_modified: readonly string[];
	readonly files_created: readonly string[];
	/** Files, perhaps with a case: `test/a.test.js > adds`, `test_a.py::test_adds`. */
	readonly tests_written: readonly string[];
	/** Checks by name or command. */
	readonly checks_passed: readonly string[];
}

export interface ClaimGround {
	readonly changes: readonly Pick<FileChange, "path" | "kind">[];
	/** Absolute path that the player may have written before its files; null: none. */
	readonly root: string | null;
	readonly checks: readonly { readonly name: string; readonly run: string }[];
	readonly evidence: readonly Pick<Evidence, "check" | "kind" | "status" | "cases">[];
	/** Text of a file of the turn's commit; null where there is none. */
	readonly textOf: (path: string) => Promise<string | null>;
	/** Those of the paths that are ignored, and so in no diff. */
	readonly ignored: (paths: readonly string[]) => Promise<readonly string[]>;
}

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
			const isThere = names.some((name) => namesOneOf(name, among));
			// A bare word may be anything: `various`, `refactoring`.
			if (!isThere && !isPath(file)) return [];
			seen.add(file);
			return [{ file, said, isThere }];
		});
	return [
		...claimed(claims.files_created, "created", kept),
		...claimed(claims.files_modified, "modified", changed),
		...claimed(claims.tests_written.map(fileOfTest).filter(isTestFile), "written as a test", kept),
	];
}

const CASE = /::| > | › /;

const fileOfTest = (name: string): string => name.split(CASE)[0] ?? name;

/** Endings of files that tests stand in. Runners name cases with dots and slashes, too: `test_a.ATest.test_adds`. */
const IN_A_FILE =
	/\w\.(?:[cm]?[jt]sx?|vue|svelte|py|go|rs|rb|java|kts?|cs|php|swift|scala|exs?|c|cc|cpp|dart|lua|sh|bats|ps1|feature|sql|snap|md|json|ya?ml|toml|txt)(?![\w.])/i;

const isTestFile = (name: string): boolean => !/\s/.test(name) && IN_A_FILE.test(name);

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
		if (title === "" || !isTestFile(file) || test.includes("[MASKED:")) continue;
		const { names } = namesIn(file, root);
		const named = changes.find(({ path: of }) => names.some((name) => namesOneOf(name, [of])));
		const text = named === undefined ? null : await textOf(named.path);
		if (text === null) continue;
		judged += 1;
		if (!hasWords(title, [text, ...ids].join("\n"))) wrong.push({ kind: "case", test });
	}
	return { judged, false: wrong };
}

/** Name of a case, without its suites, its parameters and a remark. */
const titleOf = (test: string): string =>
	CASE.test(test) ? (test.split(CASE).at(-1) ?? "").replace(/[[(].*[\])]$/, "") : "";

const GENERAL: ReadonlySet<string> = new Set(["all", "and", "new", "tests", "cases"]);

function hasWords(title: string, texts: string): boolean {
	const haystack = texts.toLowerCase();
	const words = title.toLowerCase().match(/[\p{L}_]{3,}/gu) ?? [];
	return words.every((word) => GENERAL.has(word) || haystack.includes(word));
}

function checkClaims(claimed: readonly string[], { checks, evidence }: ClaimGround): ClaimAudit {
	const wrong = new Set<string>();
	let judged = 0;
	for (const claim of claimed.slice(0, MAX_CLAIMS)) {
		for (const { name, run } of checks) {
			if (!saysPassed(claim, name) && !saysPassed(claim, run)) continue;
			const status = evidence.find(({ check }) => check === name)?.status;
			if (status !== "pass" && status !== "fail") continue;
			judged += 1;
			if (status === "fail") wrong.add(name);
		}
	}
	return { judged, false: [...wrong].map((check) => ({ kind: "check", check })) };
}

/** Words by which a remark takes a claim back, where they do not count to none. */
const TAKEN_BACK =
	/\b(?:not|no|never|none|fail\w*|skip\w*|errors?|red|broken|pending|but|except|only|could|cannot|unable|unknown)\b|n['’]t\b/;
const NONE_OF_IT =
	/\b(?:0|no|zero|without) (?:\w+ )?(?:fail\w*|errors?|skip\w*)|\b(?:fail\w*|errors?|skip\w*):? 0\b/g;

/** Tells whether a claim says that a check passed: it is its name or command, with a remark at most that does not deny it. */
function saysPassed(claim: string, check: string): boolean {
	const said = plainName(claim);
	const name = plainName(check);
	if (!said.startsWith(name)) return false;
	const remark = said.slice(name.length).replace(/^[`'"]+/, "");
	const isRemark = /^(?:\s*[:(,;–—✓✔✅]|\s+-+\s|\s+(?:all )?(?:pass|ok\b|succe|green)|$)/u.test(
		remark,
	);
	return isRemark && !TAKEN_BACK.test(remark.replaceAll(NONE_OF_IT, ""));
}

const plainName = (text: string): string =>
	text
		.trim()
		.replaceAll(/^(?:\$ |[`'"])+|[`'"]+$/g, "")
		.replaceAll(/\s+/g, " ")
		.toLowerCase();
