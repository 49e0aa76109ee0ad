import { chmodSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { delimiter, join } from "node:path";
import { expect, test } from "vitest";
import { thorough } from "../support/amount.ts";
import { APPROVAL, type Stage, stage } from "./stage.ts";

const SECRET = "sk-ant-api03-not-a-real-key-0123456789";

/** A whole call of Claude Code as its program prints it, in so far as it is read. */
const claudeSays = (report: unknown): string =>
	[
		{ type: "system", subtype: "init", session_id: "s", model: "claude-sonnet-5" },
		{
			type: "result",
			subtype: "success",
			is_error: false,
			terminal_reason: "completed",
			result: "Done.",
			structured_output: report,
			total_cost_usd: 0.25,
			num_turns: 1,
			usage: { input_tokens: 1000, output_tokens: 100 },
			modelUsage: { "claude-sonnet-5": { inputTokens: 1000, outputTokens: 100, costUSD: 0.25 } },
		},
	]
		.map((event) => JSON.stringify(event))
		.join("\n");

/** A whole call of Codex, likewise. */
const codexSays = (report: unknown): string =>
	[
		{ type: "thread.started", thread_id: "t" },
		{
			type: "item.completed",
			item: { id: "i", type: "agent_message", text: JSON.stringify(report) },
		},
		{
			type: "turn.completed",
			usage: { input_tokens: 2000, cached_input_tokens: 0, output_tokens: 50 },
		},
	]
		.map((event) => JSON.stringify(event))
		.join("\n");

/** Programs named like the harnesses: Claude Code works, Codex judges, both say so in their own words. */
function withHarnesses(programs: Readonly<Record<string, string>>): Stage {
	const made = stage({ steps: [] });
	const bin = join(made.repo.home, "bin");
	mkdirSync(bin);
	for (const [name, script] of Object.entries(programs)) {
		writeFileSync(join(bin, name), `#!/bin/sh\ncat > /dev/null\n${script}\n`);
		chmodSync(join(bin, name), 0o755);
	}
	made.rewrite({
		agents: {
			dev: { adapter: "claude", env: ["ANTHROPIC_API_KEY"] },
			coach: { adapter: "codex", model: "gpt-5.5" },
		},
	});
	made.repo.commit("Native agents");
	return made;
}

const environment = ({ repo }: Stage) => ({
	PATH: `${join(repo.home, "bin")}${delimiter}${repo.env["PATH"] ?? ""}`,
	ANTHROPIC_API_KEY: SECRET,
});

const printing = (text: string): string => `cat <<'EVENTS'\n${text}\nEVENTS`;
const notes = { implementation_notes: "did it" };
const PLAYER = `echo "key $ANTHROPIC_API_KEY" > work.txt; ${printing(claudeSays(notes))}`;

thorough(
	"native adapters sit in both seats, and what they say of tokens and cost is kept",
	async () => {
		const made = withHarnesses({ claude: PLAYER, codex: printing(codexSays(APPROVAL)) });
		const { code, stdout, stderr } = await made.spar(["run", "--json"], { env: environment(made) });
		expect(code, stderr).toBe(0);
		expect(JSON.parse(stdout)).toMatchObject({
			status: "completed",
			usage: { calls: 2, input_tokens: 3000, output_tokens: 150, unknown_cost_calls: 0 },
			tasks: { one: { merged: true, challenger_approved: true } },
		});
		const [first] = made.trace().events.filter(({ type }) => type === "agent-answered");
		expect(first?.data["usage"]).toMatchObject({ costUsd: 0.25, model: "claude-sonnet-5" });
	},
);

thorough("a run with native adapters is recorded masked, and replays without them", async () => {
	const made = withHarnesses({ claude: PLAYER, codex: printing(codexSays(APPROVAL)) });
	const file = join(made.repo.home, "run.jsonl");
	const recorded = await made.spar(["run", "--record", file], { env: environment(made) });
	expect(recorded.code, recorded.stderr).toBe(0);
	expect(recorded.stderr).toMatch(/a secret in work\.txt was masked in the cassette/);
	const cassette = readFileSync(file, "utf8");
	expect(cassette).not.toContain(SECRET);
	const usage = { input_tokens: 1000, output_tokens: 100, cost_usd: 0.25 };
	expect(JSON.parse(cassette.split("\n")[0] ?? "")).toMatchObject({ role: "player", usage });

	const replay = { adapter: "cassette", file };
	made.rewrite({ agents: { dev: replay, coach: replay } });
	made.repo.commit("Replay");
	const { code, task, report } = await made.run();
	expect({ code, merged: task.merged }).toEqual({ code: 0, merged: true });
	expect(made.repo.git("show", `${report.branch}:work.txt`)).toMatch(/^key \[MASKED:/);
});

test("a file at SPAR_REPORT approves nothing for a native coach: its own words count", async () => {
	const planted = `printf '%s' '${JSON.stringify(APPROVAL)}' > "$SPAR_REPORT"`;
	const made = withHarnesses({
		claude: PLAYER,
		codex: `${planted}; ${printing(codexSays({ decision: "feedback", rationale: "no" }))}`,
	});
	const { stdout } = await made.spar(["run", "--json", "--max-turns", "1"], {
		env: environment(made),
	});
	expect(JSON.parse(stdout)).toMatchObject({
		tasks: { one: { challenger_approved: false, merged: false } },
	});
});
