import { chmodSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { delimiter, join } from "node:path";
import { beforeAll, describe, expect, test } from "vitest";
import { USER_HOME } from "../support/user-home.ts";
import { APPROVAL, type Outcome, outcomeOf, type Stage, stage } from "./stage.ts";

/** A secret that reads like the task's id, and with it like a branch, a path and much else. */
const TASK = "limiter-task";
/** Stands in a variable that no child is to see. */
const PLANTED = "planted-4711-planted";
/** Handed to one agent by name. */
const GRANTED = "granted-0815-granted";

/** Stands in the workflow file. */
const WRITTEN = "written-2342-written";

const SEEN = 'env > "$HOME/seen/';

/** Likewise, of setups and checks. */
const SEEN_THERE = `env > "${USER_HOME}/seen/`;

let set: Stage;
let done: Outcome;

beforeAll(async () => {
	const criterion = `it shows ${GRANTED} to nobody`;
	set = stage({
		human: true,
		files: { "setup.sh": `${SEEN_THERE}setup-$$"\n` },
		steps: [
			{
				role: "player",
				run: `${SEEN}player-$$"; cp "$SPAR_PROMPT" "$HOME/prompt.txt"; echo a > a.txt`,
			},
			{
				role: "coach",
				run: `${SEEN}coach-$$"; node -e '${copyCriteria()}'`,
			},
		],
		task: { requires_human: true },
		workflow: {
			tasks: {
				[TASK]: {
					agent: "dev",
					description: `Work on ${GRANTED}.`,
					acceptance_criteria: [criterion],
					requires_human: true,
					overlays: {
						paired_workflow: { enabled: true, driver_agent: "dev", challenger_agent: "coach" },
					},
				},
			},
			setup: ["sh setup.sh"],
			checks: {
				tests: {
					kind: "acceptance",
					report: { format: "tap" },
					run: `${SEEN_THERE}check-$$"; printf 'TAP version 13\\n1..1\\nok 1 - works\\n'`,
				},
			},
			human: {
				enabled: true,
				notify: { on_created: [{ type: "command", run: ["sh", "-c", `${SEEN}note-$$"`] }] },
			},
		},
	});
	mkdirSync(join(set.repo.home, "seen"));
	const { agents } = set.agents;
	set.rewrite({ agents: { ...agents, dev: { ...agents.dev, env: ["GRANTED_TOKEN"] } } });
	set.repo.commit("Agents");
	done = outcomeOf(await set.spar(["run", "--json"], { env: environment() }));
});

/** A coach that hands each criterion back as it was told. */
function copyCriteria(): string {
	const report = JSON.stringify({ ...APPROVAL, requirements_status: [] });
	return [
		'const fs = require("node:fs");',
		'const told = JSON.parse(fs.readFileSync(process.env.SPAR_CONTEXT, "utf8")).task;',
		`const report = ${report};`,
		"for (const criterion of told.acceptance_criteria)",
		'report.requirements_status.push({ criterion, met: true, evidence: "seen" });',
		"fs.writeFileSync(process.env.SPAR_REPORT, JSON.stringify(report));",
	].join(" ");
}

/** With a git on the path that tells its environment before it becomes the real one. */
function environment(): Readonly<Record<string, string>> {
	const bin = join(set.repo.home, "bin");
	mkdirSync(bin, { recursive: true });
	const path = set.repo.env["PATH"] ?? "";
	const script = `#!/bin/sh\n${SEEN}git-$$"\nPATH='${path}' exec git "$@"\n`;
	writeFileSync(join(bin, "git"), script);
	chmodSync(join(bin, "git"), 0o755);
	return {
		PATH: [bin, path].join(delimiter),
		MY_TOKEN: TASK,
		PLANTED_SECRET: PLANTED,
		GRANTED_TOKEN: GRANTED,
	};
}

const seenBy = (who: string): string =>
	readdirSync(join(set.repo.home, "seen"))
		.filter((name) => name.startsWith(who))
		.map((name) => readFileSync(join(set.repo.home, "seen", name), "utf8"))
		.join("\n");

test("a secret that reads like the id of a task breaks neither the run nor the question", () => {
	expect(done.code, done.stderr).toBe(3);
	const { branch } = done.report.tasks[TASK] ?? {};
	expect(branch).toBe(`sparring/${done.report.run_id}/${TASK}`);
	expect(set.repo.git("rev-parse", "--verify", branch ?? "")).toMatch(/^[0-9a-f]{40}$/);
	expect(done.report.tasks[TASK]?.human_item).not.toBeNull();
});

describe("a child sees only the variables that are on the list", () => {
	test.each(["git", "setup", "player", "coach", "check", "note"])("%s", (who) => {
		expect(seenBy(who)).toContain("PATH=");
		expect(seenBy(who)).not.toContain(PLANTED);
		expect(seenBy(who)).not.toContain("MY_TOKEN");
		expect(seenBy(who).includes(GRANTED)).toBe(who === "player");
	});
});

test("a criterion with a secret is told masked, and is found again when the coach copies it", () => {
	const prompt = readFileSync(join(set.repo.home, "prompt.txt"), "utf8");
	expect(prompt).toMatch(/it shows \[MASKED:env:\w{4}\] to nobody/);
	expect(prompt).not.toContain(GRANTED);
	expect(done.report.tasks[TASK]).toMatchObject({ challenger_approved: true, turns: 1 });
});

test("a fault before there is a run holds no secret of the workflow file", async () => {
	const { agents } = set.agents;
	const dev = { adapter: "cassette", file: `missing-${WRITTEN}.jsonl` } as const;
	set.rewrite({ agents: { ...agents, dev }, setup: [`sh setup.sh --token=${WRITTEN}`] });
	set.repo.commit("An agent that is not there");
	const { code, stdout, stderr } = await set.spar(["run"]);
	expect(code).toBe(2);
	expect(stderr).toMatch(/missing-\[MASKED:config:\w{4}\]/);
	expect(stdout + stderr).not.toContain(WRITTEN);
});
