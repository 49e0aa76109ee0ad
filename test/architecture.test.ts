import { globSync, readFileSync } from "node:fs";
import { dirname, join, relative } from "node:path";
import { parseSync, Visitor } from "oxc-parser";
import { expect, test } from "vitest";

/** Rooms in the order the data flows. A room may import itself and the rooms listed beside it. */
const ROOMS: Readonly<Record<string, readonly string[]>> = {
	kernel: [],
	masking: ["kernel"],
	workflow: ["kernel"],
	trace: ["kernel"],
	process: ["kernel", "masking"],
	syntax: [],
	git: ["kernel", "process"],
	agents: ["kernel", "masking", "process"],
	evidence: ["kernel", "workflow", "git"],
	formats: ["kernel", "masking", "workflow", "git", "evidence"],
	setups: ["kernel", "masking", "process", "git", "evidence"],
	wall: ["kernel", "workflow", "syntax", "git", "evidence", "formats", "setups"],
	mutation: ["process", "syntax", "evidence", "formats"],
	checks: ["kernel", "masking", "process", "git", "evidence", "formats", "setups", "wall"],
	review: ["kernel", "workflow", "trace", "agents", "evidence", "formats", "wall"],
	verification: ["kernel", "workflow", "agents", "evidence", "formats", "setups", "review"],
	conflict: ["kernel", "masking", "trace", "agents", "review"],
	confidence: ["kernel", "workflow", "evidence", "formats", "checks"],
	gate: ["kernel", "workflow", "evidence", "wall", "checks", "confidence"],
	judge: [
		"kernel",
		"masking",
		"workflow",
		"trace",
		"process",
		"syntax",
		"git",
		"evidence",
		"formats",
		"setups",
		"wall",
		"mutation",
		"checks",
		"gate",
	],
	human: ["kernel", "masking", "workflow", "trace", "evidence", "review", "gate"],
	store: [
		"kernel",
		"masking",
		"workflow",
		"trace",
		"agents",
		"evidence",
		"review",
		"conflict",
		"confidence",
		"gate",
		"human",
	],
	merge: ["kernel", "git"],
	loop: [
		"kernel",
		"masking",
		"workflow",
		"trace",
		"process",
		"syntax",
		"git",
		"agents",
		"evidence",
		"formats",
		"setups",
		"wall",
		"mutation",
		"checks",
		"review",
		"verification",
		"conflict",
		"confidence",
		"gate",
		"judge",
		"human",
		"store",
		"merge",
	],
	view: [
		"kernel",
		"workflow",
		"trace",
		"agents",
		"evidence",
		"formats",
		"wall",
		"checks",
		"review",
		"conflict",
		"gate",
		"human",
		"store",
		"loop",
	],
	words: ["kernel", "trace", "git", "review", "human", "view"],
	schedule: ["kernel", "workflow", "trace", "store"],
	places: [
		"kernel",
		"masking",
		"workflow",
		"trace",
		"git",
		"setups",
		"human",
		"words",
		"store",
		"merge",
		"loop",
		"schedule",
		"view",
	],
	seats: ["kernel", "masking", "workflow", "process", "git", "agents", "loop", "places"],
	ready: ["kernel", "workflow", "process", "git", "agents", "store", "places", "seats"],
	drive: [
		"kernel",
		"masking",
		"workflow",
		"trace",
		"process",
		"git",
		"agents",
		"evidence",
		"setups",
		"checks",
		"review",
		"verification",
		"confidence",
		"judge",
		"human",
		"store",
		"merge",
		"loop",
		"schedule",
		"view",
		"places",
		"seats",
		"ready",
	],
	landing: [
		"kernel",
		"masking",
		"workflow",
		"trace",
		"process",
		"git",
		"evidence",
		"setups",
		"checks",
		"review",
		"confidence",
		"judge",
		"words",
		"store",
		"merge",
		"schedule",
		"places",
		"seats",
		"drive",
	],
	verdict: [
		"kernel",
		"workflow",
		"process",
		"git",
		"evidence",
		"setups",
		"wall",
		"checks",
		"review",
		"gate",
		"judge",
		"store",
		"places",
		"seats",
		"ready",
		"drive",
	],
	machines: [
		"kernel",
		"masking",
		"workflow",
		"trace",
		"process",
		"git",
		"setups",
		"verification",
		"judge",
		"human",
		"words",
		"store",
		"merge",
		"loop",
		"schedule",
		"view",
		"places",
		"seats",
		"drive",
		"landing",
	],
	planning: [
		"kernel",
		"masking",
		"workflow",
		"trace",
		"process",
		"git",
		"agents",
		"setups",
		"review",
		"verification",
		"store",
		"loop",
		"places",
		"seats",
		"drive",
	],
	library: [
		"kernel",
		"masking",
		"workflow",
		"trace",
		"process",
		"git",
		"agents",
		"formats",
		"wall",
		"review",
		"conflict",
		"confidence",
		"human",
		"words",
		"store",
		"loop",
		"view",
		"places",
		"seats",
		"drive",
		"landing",
		"verdict",
		"machines",
		"planning",
	],
	web: [
		"kernel",
		"masking",
		"workflow",
		"trace",
		"git",
		"confidence",
		"human",
		"words",
		"store",
		"view",
		"places",
		"landing",
		"planning",
		"library",
	],
	cli: [
		"kernel",
		"workflow",
		"trace",
		"human",
		"words",
		"view",
		"places",
		"seats",
		"ready",
		"drive",
		"landing",
		"verdict",
		"machines",
		"planning",
		"library",
		"web",
	],
};

/** Rooms whose folders are adapters, such as store/sqlite. In other rooms a folder is just a folder. */
const ADAPTER_ROOMS: readonly string[] = ["agents", "store", "verification"];

/** Folders that adapters of one kind share. */
const SHARED_FOLDERS: readonly string[] = ["agents/harness", "store/queries"];

/** The rooms that may name an adapter, by the room that has it; `seats` alone makes agents, `places` alone opens a store. */
const WIRING: Readonly<Record<string, readonly string[]>> = {
	agents: ["seats", "ready"],
	store: ["places", "ready", "landing", "machines", "library"],
	verification: ["drive", "machines"],
};

const MAX_LINES = 400;

interface Edge {
	readonly from: string;
	readonly to: string;
}

const roomOf = (file: string): string => file.split("/")[1] ?? "";
const adapterOf = (file: string): string | undefined => {
	const parts = file.split("/");
	return parts.length > 3 && ADAPTER_ROOMS.includes(roomOf(file))
		? parts.slice(1, 3).join("/")
		: undefined;
};
const isTest = (file: string): boolean => /\.(test|contract|fixture)\.ts$/.test(file);
const show = (edges: readonly Edge[]): string[] => edges.map(({ from, to }) => `${from} -> ${to}`);

/** Imports, re-exports and lazy imports of one file that point into the package. */
function importEdges(file: string, source: string): Edge[] {
	const { module, errors } = parseSync(file, source);
	if (errors.length > 0) throw new Error(`${file}: ${errors[0]?.message}`);
	const reExports = module.staticExports.flatMap(({ entries }) =>
		entries.flatMap(({ moduleRequest }) => moduleRequest?.value ?? []),
	);
	const lazy = module.dynamicImports.map(({ moduleRequest: { start, end } }) =>
		source.slice(start, end).replace(/^(["'`])(.*)\1$/s, "$2"),
	);
	return [
		...module.staticImports.map(({ moduleRequest }) => moduleRequest.value),
		...reExports,
		...lazy,
	]
		.filter((specifier) => specifier.startsWith("."))
		.map((specifier) => ({ from: file, to: relative(".", join(dirname(file), specifier)) }));
}

function strayImports(edges: readonly Edge[]): string[] {
	return show(
		edges.filter(
			({ from, to }) => roomOf(from) !== roomOf(to) && !ROOMS[roomOf(from)]?.includes(roomOf(to)),
		),
	);
}

function adapterLeaks(edges: readonly Edge[]): string[] {
	return show(
		edges.filter(({ from, to }) => {
			const adapter = adapterOf(to);
			if (adapter === undefined || adapterOf(from) === adapter) return false;
			const shares = adapterOf(from) !== undefined && SHARED_FOLDERS.includes(adapter);
			return !shares && !WIRING[roomOf(to)]?.includes(roomOf(from));
		}),
	);
}

function tooLong(file: string, source: string): string[] {
	const lines = source.split("\n").length - 1;
	return lines > MAX_LINES ? [`${file}: ${lines} lines`] : [];
}

const isStrayBarrel = (file: string): boolean =>
	/(^|\/)index\.[cm]?ts$/.test(file) && file !== "src/index.ts";

const read = (file: string): string => readFileSync(file, "utf8");
const files = globSync("src/*/**/*.ts").filter((file) => !isTest(file));
const edges = files.flatMap((file) => importEdges(file, read(file)));

test("the scan sees the source", () => {
	expect(edges.length).toBeGreaterThan(files.length / 2);
});

test("every room on disk is declared", () => {
	expect(Object.keys(ROOMS)).toEqual(expect.arrayContaining([...new Set(files.map(roomOf))]));
});

test("every declared room is in src/README.md, in the same order", () => {
	const listed = [...read("src/README.md").matchAll(/^\| `([a-z]+)` +\|/gm)].map(
		([, room]) => room,
	);
	expect(listed).toEqual(Object.keys(ROOMS));
});

test("the room table itself flows one way", () => {
	const names = Object.keys(ROOMS);
	const backward = names.flatMap((room, index) =>
		(ROOMS[room] ?? [])
			.filter((target) => !names.slice(0, index).includes(target))
			.map((target) => `${room} -> ${target}`),
	);
	expect(backward).toEqual([]);
});

test("imports follow the room table", () => {
	expect(strayImports(edges)).toEqual([]);
});

test("every move of a ref goes through git/move-refs.ts, which looks at the user's worktrees", () => {
	const users = edges.filter(({ to }) => to === "src/git/swap-refs.ts").map(({ from }) => from);
	expect(users.sort()).toEqual(["src/git/move-refs.ts", "src/git/worktree-forward.ts"]);
	const forwards = edges.filter(({ to }) => to === "src/git/worktree-forward.ts");
	expect(forwards.map(({ from }) => from)).toEqual(["src/git/move-refs.ts"]);
	const movers = files.filter((file) => read(file).includes('"update-ref"'));
	expect(movers).toEqual(["src/git/ref-transaction.ts"]);
	const callers = edges.filter(({ to }) => to === "src/git/ref-transaction.ts");
	// `keepUnder` of refs.ts moves private refs only.
	expect(callers.map(({ from }) => from).sort()).toEqual([
		"src/git/refs.ts",
		"src/git/swap-refs.ts",
	]);
});

/** Allowed imports of rooms that no file uses, as `room -> room`. */
function unusedImports(
	rooms: Readonly<Record<string, readonly string[]>>,
	used: readonly Edge[],
): string[] {
	const found = new Set(used.map(({ from, to }) => `${roomOf(from)} -> ${roomOf(to)}`));
	return Object.entries(rooms)
		.flatMap(([room, allowed]) => allowed.map((target) => `${room} -> ${target}`))
		.filter((edge) => !found.has(edge));
}

test("every import that the room table allows is used", () => {
	expect(unusedImports(ROOMS, edges)).toEqual([]);
});

test("an allowed import that no file uses is found", () => {
	const used = [{ from: "src/git/a.ts", to: "src/kernel/b.ts" }];
	expect(unusedImports({ kernel: [], git: ["kernel", "trace"] }, used)).toEqual(["git -> trace"]);
});

/**
 * Groups of files of one room that import each other in a circle, types and lazy imports included: each sorted, as one
 * text.
 */
function circles(all: readonly Edge[]): string[] {
	const targets = Map.groupBy(
		all.filter(({ from, to }) => roomOf(from) === roomOf(to)),
		({ from }) => from,
	);
	const reachable = (start: string): Set<string> => {
		const seen = new Set<string>();
		const queue = [start];
		for (const file of queue) {
			for (const { to } of targets.get(file) ?? []) {
				if (seen.has(to)) continue;
				seen.add(to);
				queue.push(to);
			}
		}
		return seen;
	};
	const reach = new Map([...targets.keys()].map((file) => [file, reachable(file)]));
	const groups = [...reach]
		.filter(([file, seen]) => seen.has(file))
		.map(([file, seen]) => [...seen].filter((other) => reach.get(other)?.has(file)).sort());
	return [...new Set(groups.map((group) => group.join(", ")))].sort();
}

test("no files of a room import each other in a circle", () => {
	expect(circles(edges)).toEqual([]);
});

test("a circle inside a room is found, of two files and of three, and none across rooms", () => {
	const edge = (from: string, to: string): Edge => ({ from: `src/${from}.ts`, to: `src/${to}.ts` });
	const planted = [
		edge("git/a", "git/b"),
		edge("git/b", "git/a"),
		edge("git/d", "git/a"),
		edge("loop/a", "loop/b"),
		edge("loop/b", "loop/c"),
		edge("loop/c", "loop/a"),
		edge("cli/a", "drive/a"),
		edge("drive/a", "cli/a"),
	];
	expect(circles(planted)).toEqual([
		"src/git/a.ts, src/git/b.ts",
		"src/loop/a.ts, src/loop/b.ts, src/loop/c.ts",
	]);
});

/** Text in which a literal may be spread: the dots, then its bracket. */
const MAY_SPREAD = /\.\.\.[\s(]*(?:\/[/*].*[\s(]*)*[[{]/;

/** Where a literal is spread into a literal or a call, as `file:line`. */
function literalSpreads(file: string, source: string): string[] {
	const { program, errors } = parseSync(file, source);
	if (errors.length > 0) throw new Error(`${file}: ${errors[0]?.message}`);
	const found: string[] = [];
	new Visitor({
		SpreadElement: ({ argument, start }) => {
			if (argument.type === "ObjectExpression" || argument.type === "ArrayExpression") {
				found.push(`${file}:${source.slice(0, start).split("\n").length}`);
			}
		},
	}).visit(program);
	return found;
}

test("no literal is spread", () => {
	const all = globSync("{src,test,dashboard}/**/*.{ts,tsx}");
	expect(all.length).toBeGreaterThan(500);
	// To parse them all takes seconds, and few files have what can be one.
	const sources = all.map((file) => [file, read(file)] as const);
	const some = sources.filter(([, source]) => MAY_SPREAD.test(source));
	const found = some.flatMap(([file, source]) => literalSpreads(file, source));
	expect(found).toEqual([]);
});

test("a spread literal is found in objects, lists and calls; a spread condition or value is not", () => {
	const source = [
		"const a = { ...{ b: 1 } };",
		"const c = [...[1, 2]];",
		"f(...[1]);",
		"const d = [...(c.length > 0 ? [1] : []), ...c];",
		"const e = { ...a };",
	].join("\n");
	expect(source.split("\n").map((line) => MAY_SPREAD.test(line))).toEqual([
		true,
		true,
		true,
		false,
		false,
	]);
	expect(literalSpreads("a.ts", source)).toEqual(["a.ts:1", "a.ts:2", "a.ts:3"]);
});

test("adapters are named by the rooms that wire them only", () => {
	expect(adapterLeaks(edges)).toEqual([]);
});

test(`no source file is longer than ${MAX_LINES} lines`, () => {
	const sources = [
		...globSync("{src,scripts}/**/*.{ts,mjs}"),
		...globSync("{bench,dashboard}/**/*.{ts,tsx}"),
	];
	expect(
		sources.filter((file) => !isTest(file)).flatMap((file) => tooLong(file, read(file))),
	).toEqual([]);
});

/** The one file of the source whose types the page takes over. */
const PROTOCOL = "src/web/protocol.ts";

/** Targets of a file's imports of values. */
function valueImports(file: string): string[] {
	return parseSync(file, read(file))
		.module.staticImports.filter(
			({ entries }) => entries.length === 0 || entries.some(({ isType }) => !isType),
		)
		.map(({ moduleRequest: { value } }) =>
			value.startsWith(".") ? relative(".", join(dirname(file), value)) : value,
		);
}

/** All that the page may import of the source: the words of a screen with what these load, but no reports in files; and sizes. */
const WORDS = new Set([
	...files.filter((file) => file.startsWith("src/words/") && !file.startsWith("src/words/report/")),
	"src/kernel/bytes.ts",
]);
for (const file of WORDS) {
	if (!file.startsWith("src/")) continue;
	for (const target of valueImports(file)) WORDS.add(target);
}

test("what the page may import of the source runs in a browser", () => {
	expect([...WORDS].filter((target) => !target.startsWith("src/"))).toEqual([]);
});

/** Packages that the page is built from. */
const PAGE_PACKAGES: readonly string[] = ["preact", "preact/hooks", "@preact/signals", "lowlight"];

/** All that is loaded later: colours of code are more script than the page itself. */
const LATER = "dashboard/diff/use-colours.ts";

/** Imports of a file of the page that are neither its own, nor words, nor types of the protocol, nor one of its packages. */
function strayPageImports(file: string, source: string): string[] {
	const { module, errors } = parseSync(file, source);
	if (errors.length > 0) throw new Error(`${file}: ${errors[0]?.message}`);
	const stray = module.staticImports.filter(({ moduleRequest: { value }, entries }) => {
		if (!value.startsWith(".")) return !PAGE_PACKAGES.includes(value);
		const target = relative(".", join(dirname(file), value));
		const isTypes = entries.length > 0 && entries.every(({ isType }) => isType);
		const isFree = target.startsWith("dashboard/") || WORDS.has(target);
		return !isFree && !(target === PROTOCOL && isTypes);
	});
	const reExports = module.staticExports
		.flatMap(({ entries }) => entries.flatMap(({ moduleRequest }) => moduleRequest?.value ?? []))
		.filter((target) => !target.startsWith("./"));
	const lazy = file === LATER ? [] : module.dynamicImports.map(() => "import()");
	return [...stray.map(({ moduleRequest }) => moduleRequest.value), ...reExports, ...lazy].map(
		(target) => `${file} -> ${target}`,
	);
}

test("the page imports itself, its packages, and of the source its words and the protocol's types only", () => {
	const page = globSync("dashboard/**/*.{ts,tsx}").filter((file) => !isTest(file));
	expect(page.length).toBeGreaterThan(30);
	expect(page.flatMap((file) => strayPageImports(file, read(file)))).toEqual([]);
});

test("a value of the protocol, another file of the source and another package are found in the page", () => {
	const source = [
		'import type { Inbox } from "../src/web/protocol.ts";',
		'import { a } from "./a.ts";',
		'import { render } from "preact";',
		'import { Plan } from "../src/web/protocol.ts";',
		'import type { Fault } from "../src/kernel/fault.ts";',
		'import { toneOf } from "../src/words/states.ts";',
		'import { formatUsd } from "../src/kernel/money.ts";',
		'import { readFileSync } from "node:fs";',
		'export const lazy = (): unknown => import("./a.ts");',
	].join("\n");
	expect(strayPageImports("dashboard/planted.tsx", source)).toEqual([
		"dashboard/planted.tsx -> ../src/web/protocol.ts",
		"dashboard/planted.tsx -> ../src/kernel/fault.ts",
		"dashboard/planted.tsx -> node:fs",
		"dashboard/planted.tsx -> import()",
	]);
});

test("the package's own index is the only barrel", () => {
	expect(globSync("src/**/index.*ts").filter(isStrayBarrel)).toEqual([]);
});

test("a static, a re-exporting and a lazy import against the flow are all found", () => {
	const source = [
		'import type { A } from "../drive/a.ts";',
		'export { b } from "../cli/b.ts";',
		'export const c = (): Promise<unknown> => import("../loop/c.ts");',
		'import { d } from "../git/d.ts";',
	].join("\n");
	expect(strayImports(importEdges("src/git/planted.ts", source))).toEqual([
		"src/git/planted.ts -> src/drive/a.ts",
		"src/git/planted.ts -> src/cli/b.ts",
		"src/git/planted.ts -> src/loop/c.ts",
	]);
});

test("an adapter named outside the rooms that wire it is found, a plain folder is not", () => {
	const planted = [
		{ from: "src/loop/a.ts", to: "src/store/sqlite/leases.ts" },
		{ from: "src/agents/command/a.ts", to: "src/agents/cassette/b.ts" },
		{ from: "src/agents/claude/a.ts", to: "src/agents/harness/b.ts" },
		{ from: "src/agents/harness/a.ts", to: "src/agents/claude/b.ts" },
		{ from: "src/loop/a.ts", to: "src/agents/harness/b.ts" },
		{ from: "src/store/sqlite/a.ts", to: "src/store/sqlite/leases.ts" },
		{ from: "src/seats/a.ts", to: "src/agents/cassette/b.ts" },
		{ from: "src/places/a.ts", to: "src/agents/cassette/b.ts" },
		{ from: "src/cli/program.ts", to: "src/cli/commands/run.ts" },
	];
	expect(adapterLeaks(planted)).toEqual([
		"src/loop/a.ts -> src/store/sqlite/leases.ts",
		"src/agents/command/a.ts -> src/agents/cassette/b.ts",
		"src/agents/harness/a.ts -> src/agents/claude/b.ts",
		"src/loop/a.ts -> src/agents/harness/b.ts",
		"src/places/a.ts -> src/agents/cassette/b.ts",
	]);
});

test("a file of 401 lines is too long, one of 400 is not", () => {
	expect(tooLong("a.ts", "x\n".repeat(MAX_LINES))).toEqual([]);
	expect(tooLong("a.ts", "x\n".repeat(MAX_LINES + 1))).toEqual(["a.ts: 401 lines"]);
});

test("an index file in a room is a stray barrel", () => {
	expect(isStrayBarrel("src/git/index.ts")).toBe(true);
	expect(isStrayBarrel("src/index.ts")).toBe(false);
});
