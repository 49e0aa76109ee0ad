import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { chmodSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { delimiter, dirname, join } from "node:path";
import { text } from "node:stream/consumers";
import { afterEach, expect, test } from "vitest";
import type { HarnessName } from "../../src/workflow/harnesses.ts";
import type { NormalisedRequest, Script, Step } from "../model-server/exchange.ts";
import { startModelServer } from "../model-server/model-server.ts";
import { PROGRAM } from "../support/program.ts";
import { repository } from "../support/repository.ts";
import { workflow } from "../support/workflow.ts";
import { connectionOf } from "./connection.ts";
import { describeHarnesses } from "./describe-harnesses.ts";
import type { Installed } from "./harnesses.ts";
import { startOutside } from "./outside.ts";

const ROOT = join(import.meta.dirname, "../..");
const VALUE = "src/value.js";

const SUITE = `echo run >> "$COUNT"
echo 1..1
if grep -q good ${VALUE}; then echo "ok 1 - says good"; else echo "not ok 1 - says good"; fi
`;

// A tool that writes files would have to read them first.
const writes = (value: string): Step => ({
	kind: "shell",
	command: `echo 'export const value = "${value}";' > ${VALUE}`,
});
const BREAKS = writes("bad");
const REPAIRS = writes("good again");
const says = (words: string): Step => ({ kind: "text", text: words });

/** Arguments of a session without a person, in a repository that its user trusts; `config` writes into the home. */
const STARTS: Readonly<
	Partial<Record<HarnessName, (model: string, root: string, config: Config) => readonly string[]>>
> = {
	claude: (model) => {
		const flags = "-p --verbose --allowedTools Bash --output-format stream-json --model";
		return [...flags.split(" "), model];
	},
	codex: (model, root, config) => {
		config(".codex/config.toml", `[projects.${JSON.stringify(root)}]\ntrust_level = "trusted"\n`);
		// A person trusts the hook itself in Codex, by /hooks.
		const flags =
			"exec --json --dangerously-bypass-approvals-and-sandbox --dangerously-bypass-hook-trust --model";
		return [...flags.split(" "), model];
	},
	gemini: (model, root, config) => {
		const security = { auth: { selectedType: "gemini-api-key" }, folderTrust: { enabled: true } };
		config(".gemini/settings.json", JSON.stringify({ security }));
		config(".gemini/trustedFolders.json", JSON.stringify({ [root]: "TRUST_FOLDER" }));
		return ["--approval-mode", "yolo", "--output-format", "stream-json", "--model", model];
	},
};

type Config = (path: string, text: string) => void;

const ends: (() => Promise<void>)[] = [];
afterEach(async () => {
	for (const end of ends.splice(0).reverse()) await end();
});

/** A repository, and a home in which a harness talks to a scripted model and finds `spar` on the PATH. */
async function desk({ name, bin }: Installed, script: Script) {
	const repo = repository();
	const count = join(repo.home, "runs");
	writeFileSync(count, "");
	repo.write({
		[VALUE]: 'export const value = "good";\n',
		"test/suite.sh": SUITE.replace("$COUNT", count),
		"sparring.yaml": workflow({
			agents: { dev: { adapter: "command", run: ["true"] } },
			tasks: { one: { agent: "dev", description: "x" } },
			checks: { tests: { kind: "acceptance", run: "sh test/suite.sh", report: { format: "tap" } } },
		}),
	});
	repo.commit("The project");
	const programs = join(repo.home, "bin");
	mkdirSync(programs);
	const shim = join(programs, "spar");
	writeFileSync(shim, `#!/bin/sh\nexec "${process.execPath}" "${PROGRAM}" "$@"\n`);
	chmodSync(shim, 0o755);
	const server = await startModelServer({ script });
	const outside = await startOutside();
	const { model, args: connected, env: signedIn } = connectionOf(name, server.url, repo.home);
	const env = {
		...repo.env,
		...signedIn,
		...outside.env,
		PATH: [programs, dirname(bin), dirname(process.execPath), repo.env["PATH"]].join(delimiter),
		HOME: repo.home,
		SPAR_CHECKOUTS: join(repo.home, "checkouts"),
		DISABLE_AUTOUPDATER: "1",
		CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC: "1",
	};
	const running = new Set<ChildProcess>();
	ends.push(async () => {
		for (const { pid } of running) if (pid !== undefined) process.kill(-pid, "SIGKILL");
		await Promise.all([server.close(), outside.close()]);
		repo.remove();
	});
	const run = async (program: string, args: readonly string[], input = "") => {
		const child = spawn(program, args, { cwd: repo.root, env, detached: true });
		running.add(child);
		child.stdin.end(input);
		const [out, err] = [text(child.stdout), text(child.stderr)];
		const [code] = (await once(child, "close")) as [number | null];
		running.delete(child);
		const said = `${await out}${await err}`;
		expect(code, said).toBe(0);
		return said;
	};
	const config: Config = (path, content) => {
		mkdirSync(dirname(join(repo.home, path)), { recursive: true });
		writeFileSync(join(repo.home, path), content);
	};
	const start = STARTS[name]?.(model, repo.root, config) ?? [];
	const ask = (prompt: string) => run(bin, [...start, ...connected], prompt);
	const runs = (): number => readFileSync(count, "utf8").length / 4;
	return { repo, server, run, ask, runs, claude: bin };
}

type Desk = Awaited<ReturnType<typeof desk>>;

/** Ways in which a user has the hook. */
const WAYS: readonly (readonly [string, (at: Desk) => Promise<void>])[] = [
	[
		"installed by spar init --agents",
		async ({ repo, run }) => {
			expect(await run("spar", ["init", "--agents"])).toContain("written    .claude/settings.json");
			repo.commit("With agents");
		},
	],
	[
		"from the plugin",
		async ({ run, claude }) => {
			await run(claude, ["plugin", "marketplace", "add", ROOT]);
			await run(claude, ["plugin", "install", "sparring@sparring"]);
		},
	],
];

/** Has a session work, which takes exactly these steps. @returns what it said, and what the model was asked */
async function played(at: Desk, steps: readonly Step[]) {
	const said = await at.ask(`Tidy ${VALUE}.`);
	const asked = at.server.requests.filter(({ isSide }) => !isSide);
	expect(
		asked.map(({ step }) => step),
		said,
	).toEqual(steps);
	return { said, asked };
}

/** Has a session with the installed hook work likewise. @returns what it said */
async function expectPlayed(at: Desk, steps: readonly Step[]): Promise<string> {
	await WAYS[0]?.[1](at);
	return (await played(at, steps)).said;
}

/** What the model was told after its last answer. */
const lastTold = ({ messages }: NormalisedRequest): string => messages.at(-1)?.text ?? "";

describeHarnesses(
	(harness) => {
		test("the marketplace and the plugin are valid to the letter", async () => {
			const { run, claude } = await desk(harness, () => says("never asked"));
			for (const folder of [ROOT, join(ROOT, "plugin")])
				expect(await run(claude, ["plugin", "validate", "--strict", folder])).toContain("passed");
		});

		test.each(WAYS)(
			"with the hook %s, a done with a red test is held back until it is green",
			async (_way, install) => {
				const steps = [BREAKS, says("I am done."), REPAIRS, says("Now I am done.")];
				const at = await desk(harness, ({ answers }) => steps[answers] ?? says("asked too often"));
				await install(at);
				const { said, asked } = await played(at, steps);
				const told = lastTold(asked[2]?.request as NormalisedRequest);
				expect(told).toContain("says good");
				expect(told).toContain("fix the product");
				expect(at.repo.read(VALUE)).toContain("good");
				expect(said).toContain("Now I am done.");
				expect(JSON.stringify(asked[0]?.body), "the skill is offered").toContain("spar check");
			},
		);

		test("a session that stops with a reason is let go after three times, and the suite is not run again", async () => {
			const reason = says("`says good` cannot pass, because ...");
			const steps = [BREAKS, says("I am done."), reason, reason, reason];
			const before: number[] = [];
			const at = await desk(harness, ({ answers }) => {
				before.push(at.runs());
				return steps[answers] ?? says("asked too often");
			});
			await expectPlayed(at, steps);
			expect(before[2]).toBeGreaterThan(0);
			expect(at.runs()).toBe(before[2]);
		});

		test("a session that does not get it green is let go after three times", async () => {
			const tries = ["bad 1", "bad 2", "bad 3", "bad 4"];
			const steps = tries.flatMap((value) => [writes(value), says("I am done.")]);
			const at = await desk(harness, ({ answers }) => steps[answers] ?? says("asked too often"));
			const said = await expectPlayed(at, steps);
			expect(said).toContain("Sparring has held this session back 3 times");
		});

		test("a session that changes nothing runs nothing", async () => {
			const at = await desk(harness, () => says("It says good."));
			await WAYS[0]?.[1](at);
			await at.ask("What does it say?");
			expect(at.server.requests.filter(({ isSide }) => !isSide)).toHaveLength(1);
			expect(at.runs()).toBe(0);
		});
	},
	["claude"],
);

describeHarnesses(
	(harness) => {
		test("with the hook of spar init --agents, a done with a red test is held back until it is green", async () => {
			const steps = [BREAKS, says("I am done."), REPAIRS, says("Now I am done.")];
			const at = await desk(harness, ({ answers }) => steps[answers] ?? says("asked too often"));
			at.repo.write({ [`.${harness.name}/notes.md`]: "The user's own.\n" });
			expect(await at.run("spar", ["init", "--agents"])).toContain(`written    .${harness.name}/`);
			at.repo.commit("With agents");
			const { asked } = await played(at, steps);
			expect(lastTold(asked[2]?.request as NormalisedRequest)).toContain("says good");
			expect(at.repo.read(VALUE)).toContain("good");
		});
	},
	["codex", "gemini"],
);
