// Plays commits of repositories that others wrote: `npm run history -- LIST [--json FILE] [--only NAME] [--variants]`.
//
// LIST is JSON, as `historyList` in test/history/list.ts says: folders of clones, their commits, the command of the suite.
// Each commit is judged against its parent by `spar check`, with a checks' file in both; `--variants` makes dishonest ones
// of each as well: a case of the base gone, and a product that does something else with the assertions that noticed it gone.
// FILE keeps what was played, with a place for a maintainer's judgement of each question; judgements that stand in it are
// kept when the same question is asked again. `--figures` prints the figures of FILE and plays nothing.
import { existsSync, writeFileSync } from "node:fs";
import { dirname, resolve } from "node:path";
import { parseArgs } from "node:util";
import { z } from "zod";
import { historyFigures } from "../test/history/figures.ts";
import {
	historyList,
	type PlayedCommit,
	playedCommit,
	withJudgements,
} from "../test/history/list.ts";
import { playHistory, readJson } from "../test/history/play.ts";

const { values, positionals } = parseArgs({
	allowPositionals: true,
	options: {
		json: { type: "string" },
		only: { type: "string", default: "" },
		variants: { type: "boolean", default: false },
		figures: { type: "boolean", default: false },
	},
});

function refuse(text: string): never {
	process.stderr.write(`history: ${text}\n`);
	process.exit(2);
}

const { json } = values;
const known = (): PlayedCommit[] =>
	json !== undefined && existsSync(json) ? z.array(playedCommit).parse(readJson(json)) : [];

const line = (text: string): string => text.replaceAll(/\s+/g, " ").trim().slice(0, 400);

function tell({ repository, commit, title, answer, seconds, variants }: PlayedCommit): void {
	const { verdict, isGreen, reasons, questions } = answer;
	const times = `${seconds.check.toFixed(0)} s, suite ${seconds.suite.toFixed(1)} s`;
	const red = isGreen ? "" : " (its own tests are not green)";
	const parts = [
		`${verdict}${red}: ${repository} ${commit.slice(0, 10)} ${line(title)} (${times})`,
		...reasons.map((reason) => `  fails: ${line(reason)}`),
		...questions.map(({ rule, file, what }) => `  asks ${rule}: ${file}: ${line(what)}`),
		...variants.map(({ kind, what, answer: own }) => `  ${kind}: ${own.verdict}: ${line(what)}`),
	];
	process.stdout.write(`${parts.join("\n")}\n`);
}

function keep(played: PlayedCommit): void {
	if (json === undefined) return;
	const before = known();
	const isOther = (one: PlayedCommit) =>
		one.repository !== played.repository || one.commit !== played.commit;
	const now = [...before.filter(isOther), ...withJudgements([played], before)];
	writeFileSync(json, `${JSON.stringify(now, null, "\t")}\n`);
}

const [file] = positionals;
if (file === undefined && !values.figures) refuse("it takes LIST, or --figures --json FILE");
const played: PlayedCommit[] = [];
if (file !== undefined && !values.figures)
	for (const history of historyList.parse(readJson(file))) {
		if (!history.repository.includes(values.only)) continue;
		playHistory(history, dirname(resolve(file)), values.variants, (one) => {
			tell(one);
			keep(one);
			played.push(one);
		});
	}
for (const figures of historyFigures(json === undefined ? played : known()))
	process.stdout.write(`${JSON.stringify(figures)}\n`);
