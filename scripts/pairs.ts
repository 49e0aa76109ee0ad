// Plays pairs of changes of tests on libraries that others wrote: `npm run pairs -- FILE --libs DIR [--only NAME] [--whole]`.
//
// FILE lists pairs: `name`, `lib`, the edits `weakened` and `twin`, each of a text that stands in its file once, and a
// `command` where a part of the library's suite is enough; `--whole` runs the whole.
// DIR/LIST.json lists checkouts: `name`, `dir`, `command` of the suite, and `setup` of a fresh checkout or null. A pair
// is told apart where its weakened branch fails and its twin passes. Prints verdicts with their reasons, and the count.
import { spawnSync } from "node:child_process";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { parseArgs } from "node:util";
import { z } from "zod";
import { type BranchVerdict, judged } from "../test/cheats/check-branch.ts";
import { repository } from "../test/support/repository.ts";

const { values, positionals } = parseArgs({
	allowPositionals: true,
	options: {
		libs: { type: "string" },
		only: { type: "string", default: "" },
		whole: { type: "boolean", default: false },
	},
});

function refuse(text: string): never {
	process.stderr.write(`pairs: ${text}\n`);
	process.exit(2);
}

const edits = z.array(z.object({ file: z.string(), old: z.string(), new: z.string() }));
const pairList = z.array(
	z.object({
		name: z.string(),
		lib: z.string(),
		command: z.string().optional(),
		weakened: edits,
		twin: edits,
	}),
);
const libraryList = z.array(
	z.object({
		name: z.string(),
		dir: z.string(),
		command: z.string(),
		setup: z.string().nullable(),
	}),
);
type Edits = z.infer<typeof edits>;
type Library = z.infer<typeof libraryList>[number];

const listed = <T>(file: string, list: z.ZodType<T>): T =>
	list.parse(JSON.parse(readFileSync(file, "utf8")));

/** The verdict on the edits as a branch of a copy of the library's last commit. */
async function verdictOf(library: Library, changes: Edits): Promise<BranchVerdict> {
	const repo = repository();
	try {
		const into = ["checkout-index", "--all", "--force", `--prefix=${repo.root}/`];
		const copied = spawnSync("git", ["-C", library.dir, ...into], { encoding: "utf8" });
		if (copied.status !== 0) refuse(`${library.dir} cannot be copied: ${copied.stderr}`);
		const { command: run, setup } = library;
		const checks = { tests: { kind: "acceptance", timeout: "10m", run } };
		const workflow = { version: 1, ...(setup === null ? {} : { setup: [setup] }), checks };
		// JSON is YAML.
		repo.write({ "sparring.yaml": JSON.stringify(workflow) });
		// Some files of others are both tracked and ignored.
		repo.git("add", "--all", "--force");
		repo.commit("Library");
		repo.git("switch", "-q", "-c", "work");
		for (const change of changes) {
			const [before, after, ...more] = (repo.read(change.file) ?? "").split(change.old);
			if (before === undefined || after === undefined || more.length > 0)
				refuse(`${library.name}: ${change.file} does not hold this exactly once: ${change.old}`);
			repo.write({ [change.file]: before + change.new + after });
		}
		repo.commit("Rewrite tests");
		return await judged(repo, []);
	} finally {
		repo.remove();
	}
}

const [file] = positionals;
if (file === undefined || values.libs === undefined) refuse("it takes FILE --libs DIR");
const libraries = listed(join(values.libs, "LIST.json"), libraryList);
const pairs = listed(file, pairList).filter(({ name }) => name.includes(values.only));
let told = 0;
for (const { name, lib, command: part, weakened, twin } of pairs) {
	const whole =
		libraries.find((one) => one.name === lib) ?? refuse(`LIST.json has no library ${lib}`);
	const library = part === undefined || values.whole ? whole : { ...whole, command: part };
	const startedAt = performance.now();
	const [bad, good] = [await verdictOf(library, weakened), await verdictOf(library, twin)];
	const isTold = bad.verdict === "fail" && good.verdict === "pass";
	if (isTold) told += 1;
	const seconds = ((performance.now() - startedAt) / 1_000).toFixed(0);
	process.stdout.write(`${isTold ? "told apart" : "NOT"}: ${lib}: ${name} (${seconds} s)\n`);
	for (const [side, { verdict, reasons, isGreen }] of Object.entries({
		weakened: bad,
		twin: good,
	})) {
		const red = isGreen ? "" : " (RED: its own tests do not pass)";
		const why = reasons.join("; ").slice(0, 600);
		process.stdout.write(`  ${side.padEnd(8)} ${verdict}${red}: ${why}\n`);
	}
}
process.stdout.write(`${told} of ${pairs.length} pairs are told apart\n`);
