import { readdirSync, readFileSync, statSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { thorough } from "../support/amount.ts";
import { APPROVES, dataOf, listWith, stage, TESTS, textLike, WORKS } from "./stage.ts";

thorough(
	"an agent that fails once is called again in the same turn, without a charge",
	async () => {
		const { agents, run, trace } = stage({
			steps: [{ role: "player", call: 1, exit: 1, stderr: "lost the line\n" }, WORKS, APPROVES],
			task: { max_turns: 1 },
		});
		expect(await run()).toMatchObject({ code: 0, task: { turns: 1, merged: true } });
		expect(dataOf(trace(), "agent-failed")).toMatchObject([
			{ role: "player", failure: "tool_error", message: textLike("lost the line") },
		]);
		expect(agents.calls().filter(({ event }) => event === "end")).toHaveLength(3);
	},
);

thorough("an agent whose program is not on the PATH is named before anything runs", async () => {
	const { repo, spar } = stage({
		steps: [],
		workflow: { agents: { dev: { adapter: "command", run: ["no-such-agent", "--fast"] } } },
	});
	const { code, stdout, stderr } = await spar(["run", "--json"]);
	expect({ code, stdout }).toEqual({ code: 2, stdout: "" });
	expect(stderr).toContain("agent dev needs the program no-such-agent");
	expect(repo.git("for-each-ref", "refs/heads/sparring", "refs/sparring")).toBe("");
});

thorough(
	"an agent that cannot be started asks a person, and goes on when it is there",
	async () => {
		const { repo, run, resume, json, spar } = stage({
			human: true,
			steps: [APPROVES],
			workflow: { agents: { dev: { adapter: "command", run: ["../../../../../dev.sh"] } } },
		});
		const program = join(repo.home, "dev.sh");
		repo.write({
			"sparring.yaml": (repo.read("sparring.yaml") ?? "").replace("../../../../../dev.sh", program),
		});
		repo.commit("Absolute path");
		repo.write({ "../dev.sh": "#!/no/such/interpreter\n" });
		const { code, task } = await run();
		expect(code).toBe(3);
		expect(await json("hil", "show", task.human_item ?? "")).toMatchObject({
			trigger: "role_error",
			reason: textLike("the program is missing"),
		});
		repo.write({ "../dev.sh": "#!/bin/sh\necho x > work.txt\n" });
		expect((await spar(["hil", "resolve", task.human_item ?? ""])).code).toBe(0);
		expect(await resume()).toMatchObject({ code: 0, task: { turns: 1, merged: true } });
	},
);

thorough("a report that is no JSON is noted, and the player's diff counts", async () => {
	const { run, trace } = stage({
		steps: [{ ...WORKS, report: "I did it!" }, APPROVES],
	});
	expect(await run()).toMatchObject({ code: 0, task: { turns: 1, merged: true } });
	expect(dataOf(trace(), "report-rejected")).toMatchObject([{ role: "player" }]);
});

thorough("a player may print its report as the last JSON object on standard output", async () => {
	const { run, trace } = stage({
		steps: [
			{ ...WORKS, stdout: 'thinking {"not": 1}\n{"files_created": ["work.txt"]}\n' },
			APPROVES,
		],
	});
	expect(await run()).toMatchObject({ code: 0 });
	expect(dataOf(trace(), "report-rejected")).toEqual([]);
	expect(dataOf(trace(), "claims-compared")).toMatchObject([{ honest: 1, discrepancies: [] }]);
});

thorough(
	"the protocol's variables are set, and nothing else of the caller's environment is",
	async () => {
		const { run, kept } = stage({
			steps: [
				{
					role: "player",
					run: 'env > "$HOME/player.env"; cat "$SPAR_CONTEXT" > "$HOME/player.json"; echo x > work.txt',
				},
				{ ...APPROVES, run: 'env > "$HOME/coach.env"; cat "$SPAR_CONTEXT" > "$HOME/coach.json"' },
			],
		});
		const { report, code } = await run();
		expect(code).toBe(0);
		const env = kept("player.env");
		for (const line of [
			"SPAR_ROLE=player",
			`SPAR_RUN=${report.run_id}`,
			"SPAR_TASK=one",
			"SPAR_SUBTASK=",
			"SPAR_TURN=1",
		])
			expect(env.split("\n")).toContain(line);
		for (const name of ["SPAR_PROMPT", "SPAR_CONTEXT", "SPAR_REPORT", "GIT_CEILING_DIRECTORIES"])
			expect(env).toMatch(new RegExp(`^${name}=/`, "m"));
		expect(env).not.toContain("SPAR_CHECKOUTS");
		expect(JSON.parse(kept("coach.json"))).toMatchObject({
			role: "coach",
			run: report.run_id,
			turn: 1,
			task: { id: "one", acceptance_criteria: ["the work is done"], context_files: [] },
			subtask: null,
			diff_path: textLike(/^\//),
			findings: [],
			evidence: listWith({ check: "tests", status: "pass" }),
			directive: null,
			conflict: null,
		});
	},
);

thorough("50 MB of output are capped, and the run goes on", async () => {
	const { repo, run } = stage({
		steps: [
			{ role: "player", run: "head -c 50000000 /dev/zero | tr '\\0' 'x'; echo x > work.txt" },
			APPROVES,
		],
	});
	expect(await run()).toMatchObject({ code: 0, task: { merged: true } });
	const folder = join(repo.root, ".sparring", "transcripts");
	for (const file of filesBelow(folder)) expect(statSync(file).size).toBeLessThan(10_000_000);
});

function filesBelow(folder: string): string[] {
	return readdirSync(folder, { recursive: true, withFileTypes: true })
		.filter((entry) => entry.isFile())
		.map((entry) => join(entry.parentPath, entry.name));
}

describe("a secret", () => {
	const secrets = {
		DEPLOY_TOKEN: "tok-8d41c6b2e9f7a3",
		MAIL_API_KEY: "key-+/=&55e0c1d2b3a4",
		PLAIN: "plain-agent-value-1738",
	};
	const speak = 'printf "%s %s %s" "$DEPLOY_TOKEN" "$MAIL_API_KEY" "$PLAIN"';
	const note = `printf '{"implementation_notes":"%s %s %s"}' "$DEPLOY_TOKEN" "$MAIL_API_KEY" "$PLAIN" > "$SPAR_REPORT"`;
	const verdict = `printf '{"decision":"%s","rationale":"%s %s","feedback_items":[{"issue":"leaks %s","severity":"major"}]}' "$(test "$SPAR_TURN" = 1 && echo feedback || echo approve)" "$DEPLOY_TOKEN" "$PLAIN" "$MAIL_API_KEY" > "$SPAR_REPORT"`;

	test("leaves no trace: not in state, cassette, call files, commits or output", async () => {
		const { repo, spar, rewrite } = stage({
			human: true,
			steps: [],
			task: { max_turns: 1 },
		});
		const env = ["DEPLOY_TOKEN", "MAIL_API_KEY", "PLAIN"];
		const agent = (script: string) => ({ adapter: "command", run: ["sh", "-c", script], env });
		rewrite({
			agents: {
				dev: agent(
					`${speak}; ${speak} >&2; ${note}; printf '%s' "$DEPLOY_TOKEN" | base64; echo x > work.txt`,
				),
				coach: agent(`${speak}; ${verdict}`),
			},
			checks: { tests: { ...TESTS, run: `echo "${secrets.DEPLOY_TOKEN}"; sh check.sh` } },
		});
		repo.commit("Agents");
		const cassette = join(repo.home, "run.jsonl");
		const { code, stdout, stderr } = await spar(["run", "--events", "--record", cassette], {
			env: secrets,
		});
		expect(code).toBe(3);
		const shown = await spar(["hil", "list"], { env: secrets });
		const traced = await spar(["trace", "one"], { env: secrets });
		const below = (folder: string) =>
			filesBelow(folder).map((path) => [path, readFileSync(path, "latin1")] as const);
		const calls = below(join(repo.home, "checkouts")).filter(([path]) => path.includes("/calls/"));
		expect(calls.length).toBeGreaterThan(0);
		const places = new Map([
			["stdout", stdout],
			["stderr", stderr],
			["hil list", shown.stdout],
			["trace", traced.stdout],
			["commits", repo.git("log", "--all", "--format=%B")],
			["cassette", readFileSync(cassette, "latin1")],
			// The checkouts hold what the user committed, a secret in the workflow file included.
			...below(join(repo.root, ".sparring")).filter(([path]) => !path.includes("/worktrees/")),
			...calls,
		]);
		expect(places.get("cassette")).toContain("[MASKED:");
		const forms = Object.values(secrets).flatMap((value) => [
			value,
			encodeURIComponent(value),
			JSON.stringify(value).slice(1, -1),
			Buffer.from(value).toString("base64").slice(0, 16),
		]);
		const leaks = [...places].filter(([, text]) => forms.some((form) => text.includes(form)));
		expect(leaks.map(([place]) => place)).toEqual([]);
	});
});
