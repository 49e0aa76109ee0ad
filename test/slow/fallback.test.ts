import { mkdirSync, writeFileSync } from "node:fs";
import { delimiter, join } from "node:path";
import { expect, test } from "vitest";
import {
	APPROVAL,
	APPROVES,
	CRITERION,
	type Play,
	type Stage,
	stage,
	WORKS,
} from "../acceptance/stage.ts";
import { PROGRAM } from "../support/program.ts";

/** A recorded call of the player `dev` that failed. */
const failedCall = (failure: string, task = "one"): string =>
	`${JSON.stringify({
		role: "player",
		agent: "dev",
		task,
		subtask: null,
		turn: 1,
		call: 1,
		outcome: failure,
		report: null,
		files: {},
		output: "",
		ms: 1,
		usage: null,
	})}\n`;

/** The player `dev` fails as recorded; `spare` stands in for it. */
function withSpare(lines: string, play: Partial<Play> = {}): Stage {
	const made = stage({ steps: [WORKS, APPROVES], ...play });
	made.repo.write({ "calls.jsonl": lines });
	const { dev, coach } = made.agents.agents;
	const broken = { adapter: "cassette", file: "calls.jsonl", fallback: "spare" };
	made.rewrite({ agents: { dev: broken, spare: dev, coach } });
	made.repo.commit("Recorded failures");
	return made;
}

test.each(["quota_exhausted", "unknown"])(
	"a player whose call fails as %s is replaced by its fallback within the turn",
	async (failure) => {
		const { run, trace } = withSpare(failedCall(failure));
		const { code, task } = await run();
		expect({ code, turns: task.turns, merged: task.merged }).toEqual({
			code: 0,
			turns: 1,
			merged: true,
		});
		const replaced = trace().events.filter(({ type }) => type === "agent-replaced");
		expect(replaced.map(({ data }) => data)).toEqual([
			{ role: "player", agent: "dev", fallback: "spare", why: failure },
		]);
	},
);

test.each(["context_limit", "content_policy"])(
	"%s speaks of the task: no fallback is asked, and the role has failed",
	async (failure) => {
		const { run, agents } = withSpare(failedCall(failure));
		const { code, task } = await run();
		expect({ code, flags: task.flags }).toEqual({ code: 1, flags: ["role_error"] });
		expect(task.failure_reason).toContain(failure);
		expect(agents.calls()).toEqual([]);
	},
);

test("a fallback that fails too is the role's error, and is named", async () => {
	const made = withSpare(failedCall("quota_exhausted"));
	const recorded = { adapter: "cassette", file: "calls.jsonl" };
	const { coach } = made.agents.agents;
	made.rewrite({ agents: { dev: { ...recorded, fallback: "spare" }, spare: recorded, coach } });
	const { code, task } = await made.run();
	expect(code).toBe(1);
	expect(task.failure_reason).toContain("the player spare failed: no recorded call 2");
});

test("a coach is replaced as well, and what its fallback says counts", async () => {
	const made = stage({ steps: [WORKS, APPROVES] });
	made.repo.write({
		"calls.jsonl": failedCall("unknown").replace('"player"', '"coach"'),
	});
	const { dev, coach } = made.agents.agents;
	const broken = { adapter: "cassette", file: "calls.jsonl", fallback: "spare" };
	made.rewrite({ agents: { dev, coach: broken, spare: coach } });
	made.repo.commit("Recorded failures");
	const { code, task } = await made.run();
	expect({ code, approved: task.challenger_approved }).toEqual({ code: 0, approved: true });
	expect(APPROVAL["decision"]).toBe("approve");
});

const SPENT = [
	{ type: "turn.started" },
	{ type: "turn.failed", error: { message: "You've hit your usage limit." } },
];
const DONE = [
	{ type: "turn.started" },
	{ type: "item.completed", item: { id: "i", type: "agent_message", text: "{}" } },
	{ type: "turn.completed", usage: { input_tokens: 1, output_tokens: 1 } },
];
const printed = (events: readonly unknown[]): string =>
	events.map((event) => `echo '${JSON.stringify(event).replaceAll("'", "'\\''")}'`).join("\n");

/** A Codex whose quota is spent at its first call and never again; each call is a line of `codex.log`. */
function codexOnThePath({ repo }: Stage): Readonly<Record<string, string>> {
	const bin = join(repo.home, "bin");
	mkdirSync(bin);
	const script = `#!/bin/sh
[ "$1" = exec ] || { echo "codex-cli 1.2.3"; exit; }
cat > /dev/null
echo call >> "$HOME/codex.log"
if [ "$(wc -l < "$HOME/codex.log")" = 1 ]; then
${printed(SPENT)}
exit 1
fi
echo "by codex" >> work.txt
${printed(DONE)}
`;
	writeFileSync(join(bin, "codex"), script, { mode: 0o755 });
	return { PATH: `${bin}${delimiter}${repo.env["PATH"] ?? ""}` };
}

const paired = (driver: string, more: Readonly<Record<string, unknown>> = {}) => ({
	agent: driver,
	description: "Do the work.",
	acceptance_criteria: [CRITERION],
	overlays: {
		paired_workflow: { enabled: true, driver_agent: driver, challenger_agent: "coach" },
	},
	...more,
});

test("an agent whose quota is spent is not called for the next task", async () => {
	const made = stage({ steps: [WORKS, APPROVES] });
	const { dev, coach } = made.agents.agents;
	made.rewrite({
		agents: { dev: { adapter: "codex", fallback: "spare" }, spare: dev, coach },
		tasks: { one: paired("dev"), two: paired("dev", { depends_on: ["one"] }) },
	});
	made.repo.commit("Codex and a fallback");
	const { code, stderr } = await made.spar(["run"], { env: codexOnThePath(made) });
	expect(code, stderr).toBe(0);
	expect(made.kept("codex.log")).toBe("call\n");
	expect(
		made.trace("two").events.find(({ type }) => type === "agent-replaced")?.data,
	).toMatchObject({ agent: "dev", fallback: "spare", why: "out of order" });
});

test("a person who says try again has the agent itself asked, also in the same process", async () => {
	const made = stage({ steps: [APPROVES], human: true });
	// The second task answers the question of the first, while the run goes on.
	const answers = `cd "$HOME/project" && node ${PROGRAM} hil list --json > "$HOME/items.json" &&
node ${PROGRAM} hil resolve "$(sed -n 's/.*"id": "\\([^"]*\\)".*/\\1/p' "$HOME/items.json" | head -1)" &&
cd - && echo done > two.txt`;
	made.rewrite({
		agents: {
			dev: { adapter: "codex", fallback: "spare" },
			spare: { adapter: "cassette", file: "empty.jsonl" },
			other: { adapter: "command", run: ["bash", "-c", answers] },
			coach: made.agents.agents.coach,
		},
		tasks: { one: paired("dev"), two: paired("other") },
	});
	made.repo.write({ "empty.jsonl": "" });
	made.repo.commit("A question and its answer");
	const { code, stderr } = await made.spar(["run"], { env: codexOnThePath(made) });
	expect(code, stderr).toBe(0);
	expect(made.kept("codex.log")).toBe("call\ncall\n");
});

test("a recording with a fallback replays to the same end, however fast it is played", async () => {
	const made = stage({ steps: [WORKS, APPROVES] });
	const { dev, coach } = made.agents.agents;
	const tasks = { one: paired("dev"), two: paired("dev", { depends_on: ["one"] }) };
	made.rewrite({
		agents: { dev: { adapter: "codex", fallback: "spare" }, spare: dev, coach },
		tasks,
	});
	made.repo.commit("Codex and a fallback");
	const file = join(made.repo.home, "run.jsonl");
	const recorded = await made.spar(["run", "--record", file], { env: codexOnThePath(made) });
	expect(recorded.code, recorded.stderr).toBe(0);
	const replay = { adapter: "cassette", file };
	made.rewrite({
		agents: { dev: { ...replay, fallback: "spare" }, spare: replay, coach: replay },
		tasks,
	});
	made.repo.commit("Replay");
	const { code, report } = await made.run();
	expect(code).toBe(0);
	expect(Object.values(report.tasks).map(({ merged, turns }) => ({ merged, turns }))).toEqual([
		{ merged: true, turns: 1 },
		{ merged: true, turns: 1 },
	]);
});
