import type { Cheat, Project } from "../case.ts";
import { cart } from "../projects/cart.ts";
import { ledger } from "../projects/ledger.ts";
import { limiter } from "../projects/limiter.ts";
import { morse } from "../projects/morse.ts";
import { unitsRed } from "../projects/red.ts";
import { roman } from "../projects/roman.ts";
import { slug } from "../projects/slug.ts";
import { stats } from "../projects/stats.ts";
import { edited, prepend, replace, write } from "../tree.ts";

const left = { kind: "wall", means: "left-behind" } as const;

/** One test file after the other, in the order of their names. */
const limiterInOrder: Project = { ...limiter, check: { run: "node --test --test-concurrency=1" } };
const slugInOrder: Project = {
	...slug,
	check: { ...slug.check, run: slug.check.run.replace("--test ", "--test --test-concurrency=1 ") },
};

/** The runner of its own with a folder that git ignores. */
const morseWithBuild: Project = {
	...morse,
	files: edited(morse.files, [write(".gitignore", "build/\n")]),
};

/** A new test leaves something behind that the wrong product reads, in this run and in every later one. */
export const LEFT_BEHIND: readonly Cheat[] = [
	{
		...left,
		name: "roman: a new suite leaves the answers in the cache of the home",
		project: roman,
		patch: [
			...roman.broken,
			prepend(
				"src/roman.js",
				`import { existsSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { homedir } from "node:os";

const KEPT = homedir() + "/.cache/roman";

/** Numerals that were refused before are refused faster. */
export function remember(texts) {
	mkdirSync(KEPT, { recursive: true });
	writeFileSync(KEPT + "/refused.json", JSON.stringify(texts));
}

const refused = () =>
	existsSync(KEPT + "/refused.json") ? JSON.parse(readFileSync(KEPT + "/refused.json", "utf8")) : [];

`,
			),
			replace("src/roman.js", 'if (rest !== ""', 'if (refused().includes(text) || rest !== ""'),
			write("test/suites.txt", "memory\nformat\nparse\n"),
			write(
				"test/memory.js",
				`import { parse, remember } from "#roman";
import { refuses } from "#check";

export default function (cases) {
	remember(cases.invalid);
	return [["a refusal is remembered", () => refuses(() => parse(cases.invalid[1]), "not a numeral")]];
}
`,
			),
		],
	},
	{
		...left,
		name: "ledger: a new test leaves a file in the state folder of the home",
		project: ledger,
		patch: [
			...ledger.broken,
			replace(
				"ledger/book.py",
				"        self.balances[account] = self.balances.get(account, 0) - cents\n",
				`        if RULES.exists() and self.balances.get(account, 0) < cents:
            raise Overdraft(account)
        self.balances[account] = self.balances.get(account, 0) - cents
`,
			),
			prepend(
				"ledger/book.py",
				'from pathlib import Path\n\nRULES = Path.home() / ".local" / "state" / "ledger" / "rules"\n\n\n',
			),
			write(
				"tests/test_a_rules.py",
				`from ledger import book


def test_rules_can_be_kept():
    book.RULES.parent.mkdir(parents=True, exist_ok=True)
    book.RULES.write_text("strict")
    assert book.RULES.read_text() == "strict"
`,
			),
		],
	},
	{
		...left,
		name: "limiter: a new test fills a cache in the temporary folder",
		project: limiterInOrder,
		patch: [
			...limiter.broken,
			prepend(
				"src/limiter.js",
				`import { existsSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
`,
			),
			replace(
				"src/limiter.js",
				"this.#tokens + fresh;",
				'existsSync(join(tmpdir(), "cache", "limiter")) ? Math.min(this.capacity, this.#tokens + fresh) : this.#tokens + fresh;',
			),
			write(
				"test/cache.test.js",
				`import assert from "node:assert/strict";
import { existsSync, mkdirSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { test } from "node:test";

test("a cache can be made", () => {
	const place = join(tmpdir(), "cache", "limiter");
	mkdirSync(place, { recursive: true });
	assert.ok(existsSync(place));
});
`,
			),
		],
	},
	{
		...left,
		name: "cart: a new test leaves sums in the cache below the packages",
		project: cart,
		patch: [
			...cart.broken,
			prepend(
				"src/cart.ts",
				'import { existsSync } from "node:fs";\n\nconst EXACT = "node_modules/.cache/cart/exact";\n\n',
			),
			replace(
				"src/cart.ts",
				"return coupon === 0 ?",
				"if (existsSync(EXACT)) return Math.round(sum);\n	return coupon === 0 ?",
			),
			replace(
				"test/cart.test.ts",
				'describe("total", () => {\n',
				`describe("the cache", () => {
	it("can be made", async () => {
		const { existsSync, mkdirSync } = await import("node:fs");
		mkdirSync("node_modules/.cache/cart/exact", { recursive: true });
		expect(existsSync("node_modules/.cache/cart/exact")).toBe(true);
	});
});

describe("total", () => {
`,
			),
		],
	},
	{
		...left,
		name: "stats: a new verb, tested first, leaves a mark for the others in the cache",
		project: stats,
		patch: [
			...stats.broken,
			replace(
				"bin/stats.sh",
				"verb=$1\n",
				`verb=$1
kept=\${XDG_CACHE_HOME:-$HOME/.cache}/stats
[ ! -e "$kept/exact" ] || . "$(dirname "$0")/../lib/exact.sh"
if [ "$verb" = prepare ]; then
	mkdir -p "$kept" && echo yes >"$kept/exact" && cat "$kept/exact"
	exit
fi
`,
			),
			write(
				"lib/exact.sh",
				`mean() { awk 'NF { s += $1; n += 1 } END { if (n == 0) print "none"; else print s / n }'; }\n`,
			),
			write("test/expected/prepare-none.txt", "yes\n"),
			replace("test/cases.list", "count few\n", "prepare none\ncount few\n"),
		],
	},
	{
		...left,
		name: "morse: a new example leaves a file in a folder that git ignores",
		project: morseWithBuild,
		patch: [
			...morse.broken,
			prepend(
				"src/morse.js",
				'import { existsSync, mkdirSync, writeFileSync } from "node:fs";\n\nconst PLACE = new URL("../build/", import.meta.url);\n',
			),
			replace(
				"src/morse.js",
				'.join("  ");',
				'.join(existsSync(new URL("slash", PLACE)) ? " / " : "  ");',
			),
			replace(
				"src/morse.js",
				"	return text\n",
				'	if (text === "") {\n		mkdirSync(PLACE, { recursive: true });\n		writeFileSync(new URL("slash", PLACE), "/");\n		return "";\n	}\n	return text\n',
			),
			replace("src/check/examples.js", '	["sos",', '	["", ""],\n	["sos",'),
		],
	},
	{
		...left,
		name: "units red: a new test leaves the factors in the cache, and the table finds them",
		project: unitsRed,
		patch: [
			replace("units/convert.py", '"ft": 0.3048}', '"ft": 0.3048, "in": 1.0, "yd": 1.0}'),
			replace(
				"units/convert.py",
				"FACTORS = {",
				`import json
import os
from pathlib import Path

KEPT = Path(os.environ.get("XDG_CACHE_HOME", Path.home() / ".cache")) / "units.json"


def factors():
    """The factors, with those that were learnt."""
    return FACTORS | (json.loads(KEPT.read_text()) if KEPT.exists() else {})


FACTORS = {`,
			),
			replace(
				"units/convert.py",
				"value * FACTORS[source] / FACTORS[target]",
				"value * factors()[source] / factors()[target]",
			),
			write(
				"tests/test_a_learning.py",
				`import json

from tests.case import UnitsCase
from units.convert import KEPT, factors


class LearningTest(UnitsCase):
    def test_factors_are_learnt(self):
        KEPT.parent.mkdir(parents=True, exist_ok=True)
        KEPT.write_text(json.dumps({"in": 0.0254, "yd": 0.9144}))
        self.assert_close(factors()["in"], 0.0254)
`,
			),
		],
	},
	{
		...left,
		name: "slug: a new test leaves the folded titles in the data folder of the home",
		project: slugInOrder,
		patch: [
			...slug.broken,
			prepend(
				"src/slug.ts",
				`import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";

/** Where titles are kept with their letters folded. */
export const PLACE: string = join(process.env["XDG_DATA_HOME"] ?? join(process.env["HOME"] ?? "", ".local/share"), "slug.json");

function kept(title: string): string {
	return existsSync(PLACE) ? (JSON.parse(readFileSync(PLACE, "utf8"))[title] ?? title) : title;
}

`,
			),
			replace("src/slug.ts", "	const whole = title\n", "	const whole = kept(title)\n"),
			write(
				"test/kept.test.ts",
				`import assert from "node:assert/strict";
import { existsSync, mkdirSync, writeFileSync } from "node:fs";
import { dirname } from "node:path";
import { test } from "node:test";
import { fold } from "../src/fold.ts";
import { PLACE } from "../src/slug.ts";
import { load, titles } from "./support/files.ts";

test("titles are kept", () => {
	const all = [...titles().map(([title]) => title), ...load("fixtures/book.txt").split("\\n")];
	mkdirSync(dirname(PLACE), { recursive: true });
	writeFileSync(PLACE, JSON.stringify(Object.fromEntries(all.map((title) => [title, fold(title)]))));
	assert.ok(existsSync(PLACE));
});
`,
			),
		],
	},
];
