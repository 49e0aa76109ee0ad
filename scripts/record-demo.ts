// Records the demo for the README: `npm run record-demo`.
//
// Runs scripts/demo.ts in a pseudo-terminal that `script` of util-linux makes, lets a terminal emulator draw what it
// wrote, and writes the story, from the start of the run to its report, as docs/demo.svg.
import { spawnSync } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { screenOf, textOf } from "../test/support/screen.ts";
import { terminalSvg } from "./terminal-svg.ts";

const COLUMNS = 100;
const ALT =
	"The demo in a terminal. In turn 1 all six tests pass; the coach reports two findings: the bucket grows without " +
	"a limit, and a burst or rate of 0 is accepted. In turn 2 the player fixes both, eight tests pass, the coach " +
	"approves, and the work is tested once more and merged.";

const quoted = (text: string): string => `'${text.replaceAll("'", "'\\''")}'`;

const folder = mkdtempSync(join(tmpdir(), "record-demo-"));
const typescript = join(folder, "typescript");
const demo = fileURLToPath(new URL("demo.ts", import.meta.url));
const command = `stty cols ${COLUMNS} rows 40; exec ${quoted(process.execPath)} ${quoted(demo)}`;
const { CI: _ci, NO_COLOR: _colour, ...env } = process.env;
const ran = spawnSync("script", ["-q", "-e", "-c", command, typescript], {
	env: { ...env, TERM: "xterm-256color", TMPDIR: folder },
	stdio: ["ignore", "ignore", "inherit"],
});
if (ran.error !== undefined || ran.status !== 0) {
	process.stderr.write(`record-demo: the demo ended with ${ran.error?.message ?? ran.status}\n`);
	process.exit(1);
}
const written = readFileSync(typescript, "utf8").replace(/^Script started.*\n/, "");
rmSync(folder, { recursive: true });

const rows = (await screenOf(written, COLUMNS)).flat();
const first = rows.findIndex((row) => /^\S+: +player /.test(textOf(row)));
const end = rows.findIndex((row) => textOf(row).startsWith("next:"));
if (first === -1 || end < first)
	throw new Error("the demo shows no run from its start to its report");
const prompt = [
	{ text: "$ ", colour: null, bold: false, dim: true },
	{ text: "spar run", colour: null, bold: true, dim: false },
];
const svg = terminalSvg([prompt, ...rows.slice(first, end + 1)], {
	columns: COLUMNS,
	title: "Sparring",
	alt: ALT,
});
writeFileSync(new URL("../docs/demo.svg", import.meta.url), svg);
