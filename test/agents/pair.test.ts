import { delimiter, dirname } from "node:path";
import { afterEach, expect, test } from "vitest";
import { type ModelServer, startModelServer } from "../model-server/model-server.ts";
import { processesOf } from "../support/processes.ts";
import { type Files, repository, type TestRepository } from "../support/repository.ts";
import { spar } from "../support/spar.ts";
import { stateRows } from "../support/state-rows.ts";
import { userState } from "../support/user-state.ts";
import { pair, workflow } from "../support/workflow.ts";
import { type Connection, connectionOf } from "./connection.ts";
import { reportMissing } from "./describe-harnesses.ts";
import { type Installed, installed } from "./harnesses.ts";
import { CRITERION, pairScript, placeOf, RIGHT, TOKENS, VERIFIER_TEST } from "./pair-script.ts";

const FILES: Files = {
	"math.mjs": "export const double = (n) => n + n;\n",
	"test/math.test.mjs": `import assert from "node:assert/strict";
import { test } from "node:test";
import * as math from "../math.mjs";

test("doubles", () => assert.equal(math.double(3), 6));
test("triples", () => assert.equal(math.triple?.(3), 9));
`,
};

const SOME_TEXT: unknown = expect.stringMatching(/./);
const ends: (() => Promise<void>)[] = [];

afterEach(async () => {
	for (const end of ends.splice(0)) await end();
});

interface Stage {
	readonly repo: TestRepository;
	readonly server: ModelServer;
	/** Environment of the run: the harnesses on the PATH, and what their agents name. */
	readonly env: Readonly<Record<string, string>>;
}

function agentOf({ name }: Installed, { model, args, env }: Connection): unknown {
	const further = args.length === 0 ? {} : { args };
	const named = Object.keys(env);
	return { adapter: name, model, login: "key", env: named, timeout: "2m", ...further };
}

/** A repository whose task is done by one harness and judged by another, both with the same scripted model. */
async function stage(player: Installed, coach: Installed): Promise<Stage> {
	const server = await startModelServer({ script: pairScript });
	const repo = repository({ files: FILES });
	ends.push(async () => {
		const left = processesOf(repo);
		await server.close();
		repo.remove();
		expect(left).toEqual([]);
	});
	const seats = [player, coach].map((harness) => ({
		harness,
		connection: connectionOf(harness.name, server.url, repo.home),
	}));
	const [dev, challenger] = seats.map(({ harness, connection }) => agentOf(harness, connection));
	repo.write({
		"sparring.yaml": workflow({
			agents: { dev, coach: challenger },
			checks: {
				tests: {
					kind: "acceptance",
					run: "node --test --test-reporter=tap",
					report: { format: "tap" },
				},
			},
			human: { enabled: false },
			tasks: {
				triple: {
					description: "Add triple(n) to math.mjs.",
					acceptance_criteria: [CRITERION],
					max_turns: 3,
					// The challenger writes independent tests as well.
					requires_verification: true,
					overlays: pair(),
				},
			},
		}),
	});
	repo.commit("Workflow");
	const programs = [player, coach].map(({ bin }) => dirname(bin));
	const variables = Object.assign({}, ...seats.map(({ connection }) => connection.env)) as Readonly<
		Record<string, string>
	>;
	return {
		repo,
		server,
		env: { ...variables, PATH: [...programs, repo.env["PATH"] ?? ""].join(delimiter) },
	};
}

/** Each with the next, so that every harness sits once in each seat. */
const RING = installed.map((player, at) => {
	const coach = installed[(at + 1) % installed.length] ?? player;
	return { player, coach };
});

reportMissing();

test.skipIf(installed.length < 2).each(RING)(
	"$player.name plays, $coach.name coaches and verifies: two turns, ending merged",
	async ({ player, coach }) => {
		const { repo, server, env } = await stage(player, coach);
		const before = userState(repo);
		const { code, stdout, stderr } = await spar(repo, ["run", "--json"], { env });
		const said = stateRows(repo, "SELECT role, turn, outcome, message FROM calls ORDER BY seq");
		expect({ code, said }, `${stderr}${stdout}`).toMatchObject({
			code: 0,
			said: [
				{ role: "player", turn: 1, outcome: "answered" },
				{ role: "coach", turn: 1, outcome: "answered" },
				{ role: "player", turn: 2, outcome: "answered" },
				{ role: "verifier", turn: 2, outcome: "answered" },
				{ role: "coach", turn: 2, outcome: "answered" },
			],
		});
		const report = JSON.parse(stdout) as { readonly branch: string };
		expect(report).toMatchObject({
			status: "completed",
			tasks: {
				triple: {
					status: "completed",
					turns: 2,
					success: true,
					merged: true,
					challenger_approved: true,
					open_findings: 0,
					verification: "passed",
					gate: { verdict: "PASS" },
				},
			},
		});
		expect(repo.git("show", `${report.branch}:math.mjs`)).toBe(RIGHT.trimEnd());
		expect(repo.git("show", `${report.branch}:${VERIFIER_TEST}`)).toContain(
			"triples zero and four",
		);
		expect(userState(repo)).toEqual(before);
		expectTurnsJudged(repo);
		expectUsage(repo, server);
	},
);

/** The wrong turn is wrong by evidence, not by the coach's word alone. */
function expectTurnsJudged(repo: TestRepository): void {
	const sql =
		"SELECT turn, status FROM evidence WHERE turn > 0 AND purpose = 'turn' AND check_name = 'tests' ORDER BY turn";
	expect(stateRows(repo, sql)).toEqual([
		{ turn: 1, status: "fail" },
		{ turn: 2, status: "pass" },
	]);
	expect(stateRows(repo, "SELECT turn, effective FROM turns ORDER BY turn")).toEqual([
		{ turn: 1, effective: "feedback" },
		{ turn: 2, effective: "approve" },
	]);
}

/** What is recorded of each call is what the model told in it. */
function expectUsage(repo: TestRepository, server: ModelServer): void {
	const rows = stateRows(repo, "SELECT role, turn, usage FROM calls ORDER BY seq");
	for (const { role, turn, usage } of rows) {
		const asked = server.requests.filter(({ isSide, request }) => {
			if (isSide) return false;
			const place = placeOf(request);
			return place.seat === role && place.turn === turn;
		});
		expect(JSON.parse(String(usage)), `${String(role)} ${String(turn)}`).toMatchObject({
			inputTokens: asked.length * TOKENS.input,
			outputTokens: asked.length * TOKENS.output,
			model: SOME_TEXT,
		});
	}
}
