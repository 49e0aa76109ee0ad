import { readdirSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { z } from "zod";
import { spread, thorough } from "../support/amount.ts";
import { APPROVAL, APPROVES, type Play, type Stage, stage, textLike, WORKS } from "./stage.ts";

const AGENT = join(import.meta.dirname, "../support/agent.cjs");

/** The file as a person wrote it, in a style of their own. */
const FILE = `version: 1 # the format
agents:
    dev:   { adapter: command, run: [node, PROGRAM, agents.json] }
    coach: { adapter: command, run: [node, PROGRAM, agents.json] }
checks: { tests: { kind: acceptance, run: "sh check.sh" } }
defaults:
    overlays: { paired_workflow: { enabled: true, driver_agent: dev, challenger_agent: coach } }

tasks:
    # What was there first.
    one:
        description:   'Do the work.'   # as agreed
        requires_verification: auto # nobody knows yet
        context_files: [db/migrations/1.sql]
        # max_turns: 5
# The end.
`;

/** A stage whose workflow file is that text, with the scripted agents in it. */
function planned(play: Play, text: string = FILE): Stage & { readonly text: string } {
	const set = stage(play);
	const written = text.replaceAll("PROGRAM", JSON.stringify(AGENT));
	set.repo.write({ "sparring.yaml": written, "need.md": "# Limits\n\nCalls are limited.\n" });
	set.repo.commit("A workflow in words");
	return { ...set, text: written };
}

const plans = (tasks: unknown, more: object = {}) => ({
	role: "planner" as const,
	task: "plan",
	turn: 1,
	report: { tasks },
	...more,
});

const NEEDS_FIRST = "{ description: More., depends_on: [first-task] }";

const LIMITER = {
	description: "Add a limiter in src/limiter.js.",
	acceptance_criteria: ["refuses the call after the burst"],
	requires_verification: true,
	verification_reason: "the handlers call it",
	depends_on: ["one"],
	allow: [{ path: "test/old.test.js", change: "edit", reason: "it asserts the old limit" }],
};
const DOCS = { description: "Describe it in README.md.", requires_verification: false };

const planReport = z.looseObject({
	outcome: z.string(),
	file: z.string(),
	digest: z.string(),
	notes: z.array(z.string()),
	tasks: z.array(z.looseObject({ id: z.string() })),
});

thorough(
	"plan adds valid tasks behind those of the file, and changes no byte of the rest",
	async () => {
		const set = planned({ steps: [plans({ limiter: LIMITER, docs: DOCS }, { run: PEEK })] });
		const { code, stdout, stderr } = await set.spar(["plan", "need.md", "--json"]);
		expect([code, stderr]).toEqual([0, ""]);
		const report = planReport.parse(JSON.parse(stdout));
		expect(report).toMatchObject({
			outcome: "written",
			file: "sparring.yaml",
			planner: "coach",
			usage: { calls: 1, cost_usd: null },
			tasks: [
				{
					id: "limiter",
					requires_verification: true,
					effective: true,
					by: "planner",
					reason: "the handlers call it",
					verifier: "coach",
					allow: LIMITER.allow,
				},
				{ id: "docs", requires_verification: "auto", effective: false, by: "heuristic", allow: [] },
			],
		});
		expect(report.notes).toEqual([textLike("no verification of docs")]);
		const after = set.repo.read("sparring.yaml") ?? "";
		const at = after.indexOf("    limiter:\n");
		const end = after.indexOf("# The end.");
		expect(after.slice(0, at) + after.slice(end)).toBe(set.text);
		expect(after.slice(at, end)).toContain("verification_by: planner\n");
		expect(await set.json("validate")).toMatchObject({ valid: true });
	},
);

const PEEK =
	'cp $SPAR_PROMPT "$HOME/prompt"; cp $SPAR_CONTEXT "$HOME/context"; pwd > "$HOME/where"; echo x > stray.txt';

thorough(
	"the planner works in a checkout of its own, which is gone afterwards, and is told what it needs",
	async () => {
		const set = planned({ steps: [plans({ docs: DOCS }, { run: PEEK })] });
		expect((await set.spar(["plan", "need.md"])).code).toBe(0);
		expect(set.kept("where").trim()).not.toContain(set.repo.root);
		expect(set.repo.read("stray.txt")).toBeUndefined();
		const prompt = set.kept("prompt");
		for (const part of [
			"Calls are limited.",
			"several packages",
			"When in doubt",
			"one: Do the work.",
		])
			expect(prompt).toContain(part);
		expect(JSON.parse(set.kept("context"))).toMatchObject({
			role: "planner",
			turn: 1,
			task: { id: "plan" },
			planning: {
				agents: [{ name: "dev" }, { name: "coach" }],
				tasks: [{ id: "one" }],
				problem: null,
			},
		});
		const homes = readdirSync(join(set.repo.root, ".sparring"));
		expect(homes).toContain("transcripts");
		const [where = ""] = set.kept("where").trim().split("/planner");
		expect(readdirSync(join(where, ".."))).not.toContain(where.split("/").at(-1));
	},
);

test.each(
	spread(
		[
			["an unknown key", { docs: { ...DOCS, agnet: "dev" } }, 'unknown key "agnet"'],
			["an unknown agent", { docs: { ...DOCS, agent: "nobody" } }, 'unknown agent "nobody"'],
			["a task that the file has", { one: DOCS }, 'has a task "one" already'],
			["a cycle", { a: { ...DOCS, depends_on: ["a"] } }, "depends_on has a cycle"],
			[
				"a flag that is none",
				{ docs: { ...DOCS, requires_verification: "yes" } },
				"requires_verification",
			],
			["no task", {}, "expected at least one task"],
			[
				"a gate switched off",
				{ docs: { ...DOCS, overlays: { policy_gate: { enabled: false } } } },
				"overlays.policy_gate off",
			],
		] as const,
		2,
	),
)(
	"%s is asked about once more, and the second time refused with nothing written",
	async (_name, tasks, why) => {
		const set = planned({
			steps: [
				plans(tasks, { run: 'cp $SPAR_PROMPT "$HOME/prompt-$(ls "$HOME" | grep -c prompt)"' }),
			],
		});
		const { code, stderr, stdout } = await set.spar(["plan", "need.md", "--json"]);
		// It is the agent that failed, not the person who called it.
		expect(code).toBe(1);
		expect(JSON.parse(stdout)).toMatchObject({ outcome: "failed", planner: "coach" });
		expect(stderr).toMatch(/^planner coach did not answer with tasks that can be added/);
		expect(stderr).toContain(why);
		expect(stderr).not.toMatch(/sparring\.yaml:\d/);
		expect(stderr).toContain("Nothing was written");
		expect(set.agents.calls().filter(({ event }) => event === "start")).toHaveLength(2);
		expect(set.kept("prompt-1")).toContain("Your earlier tasks could not be taken");
		expect(set.repo.read("sparring.yaml")).toBe(set.text);
	},
);

/** A project whose `sparring.yaml` is what `spar init` writes, with the scripted agents in both seats. */
async function begun(play: Play): Promise<Stage> {
	const set = stage({
		...play,
		files: {
			"package.json": '{ "scripts": { "test": "node --test" } }\n',
			"a.test.js": 'require("node:test").test("a", () => {});\n',
			"need.md": "# Limits\n\nCalls are limited.\n",
		},
	});
	expect((await set.spar(["init", "--force"])).code).toBe(0);
	const agent = `run: ["node", ${JSON.stringify(AGENT)}, "agents.json"]`;
	const text = (set.repo.read("sparring.yaml") ?? "")
		.replaceAll(/run: \["your-agent".*?\]/g, agent)
		.replace(/^sandbox: .*$/m, "sandbox: off");
	set.repo.write({ "sparring.yaml": text });
	set.repo.commit("What init wrote");
	return set;
}

const STARTER = '"Describe what to build or fix."';

const GREET = { description: "Greet.", acceptance_criteria: ["it greets"] };

thorough(
	"README's sequence: init, plan, validate, run and land, with nothing edited between",
	async () => {
		const set = await begun({
			steps: [
				plans({ greet: GREET, "first-task": GREET }, { run: 'cp $SPAR_CONTEXT "$HOME/context"' }),
				WORKS,
				{
					...APPROVES,
					report: {
						...APPROVAL,
						requirements_status: [{ criterion: "it greets", met: true, evidence: "seen" }],
					},
				},
			],
		});
		const before = set.repo.read("sparring.yaml") ?? "";
		const planned = await set.spar(["plan", "need.md"]);
		expect(planned).toMatchObject({
			code: 0,
			stderr: textLike("the new tasks replace first-task"),
		});
		expect(planned.stderr).toMatch(
			/^plan: planner reviewer reads the requirements\nplan: planner reviewer answered \(/,
		);
		expect(set.kept("context")).not.toContain("first-task");
		const after = set.repo.read("sparring.yaml") ?? "";
		expect(after.startsWith(before.slice(0, before.indexOf("  first-task:")))).toBe(true);
		expect(after).not.toContain("Describe what to build");
		expect(await set.json("validate")).toMatchObject({ valid: true });
		const { code, report } = await set.run();
		expect([code, Object.keys(report.tasks)]).toEqual([0, ["greet", "first-task"]]);
		expect(set.repo.git("status", "--porcelain")).toBe(" M sparring.yaml");
		expect(await set.json("land")).toMatchObject({ outcome: "landed" });
		expect(set.repo.git("status", "--porcelain")).toBe(" M sparring.yaml");
		expect(set.repo.read("work.txt")).toContain("turn 1");
	},
);

test.each(
	spread(
		[
			["a key", [STARTER, `{ description: ${STARTER}, max_turns: 3 }`]],
			["another task that needs it", [STARTER, `${STARTER}\n  two: ${NEEDS_FIRST}`]],
		] as const,
		1,
	),
)("a starter task that a person gave %s stays, and is told of", async (_what, [old, now]) => {
	const set = await begun({ steps: [plans({ greet: GREET })] });
	const text = (set.repo.read("sparring.yaml") ?? "").replace(old, now);
	set.repo.write({ "sparring.yaml": text });
	const { code, stderr } = await set.spar(["plan", "need.md"]);
	expect([code, stderr]).toEqual([0, textLike("task first-task still has words of the starter")]);
	expect(set.repo.read("sparring.yaml")?.startsWith(text)).toBe(true);
});

thorough(
	"of thousands of errors in a file of one line a planner is told the first ones, with what stands there",
	async () => {
		const tasks = Object.fromEntries(
			Array.from({ length: 2_000 }, (_, n) => [`t${n}`, { ...DOCS, agnet: 1 }]),
		);
		const set = planned({ steps: [plans(tasks)] });
		set.rewrite({});
		const { code, stderr } = await set.spar(["plan", "need.md"]);
		expect(code).toBe(1);
		expect(stderr).toContain('unknown key "agnet"');
		expect(stderr).toMatch(/and \d+ more errors/);
		expect(stderr.length).toBeLessThan(12_000);
	},
);

thorough("a corrected second report is taken", async () => {
	const set = planned({
		steps: [plans({ one: DOCS }, { call: 1 }), plans({ two: DOCS }, { call: 2 })],
	});
	expect((await set.spar(["plan", "need.md"])).code).toBe(0);
	expect(await set.json("approve")).toMatchObject({ tasks: [{ id: "one" }, { id: "two" }] });
});

thorough("a file that was changed while the planner worked stays as it is then", async () => {
	const set = planned({ steps: [] });
	const path = join(set.repo.root, "sparring.yaml");
	const script = JSON.stringify({
		log: set.agents.log,
		steps: [plans({ docs: DOCS }, { run: `echo '# mine' >> '${path}'` })],
	});
	set.repo.write({ "../agents.json": script });
	const { code, stderr } = await set.spar(["plan", "need.md"]);
	expect(code).toBe(2);
	expect(stderr).toContain("was changed in the meantime");
	expect(set.repo.read("sparring.yaml")).toBe(`${set.text}# mine\n`);
});

thorough(
	"a planner that gives no answer is exit 1, a spent budget 4, and both write nothing",
	async () => {
		const text = FILE.replace(
			"agents:\n",
			"planner: mute\nagents:\n    mute: { adapter: cassette, file: none.jsonl }\n",
		);
		const silent = planned({ steps: [], files: { "none.jsonl": "" } }, text);
		const failed = await silent.spar(["plan", "need.md", "--json"]);
		expect(failed.code).toBe(1);
		expect(JSON.parse(failed.stdout)).toMatchObject({
			outcome: "failed",
			planner: "mute",
			reason: textLike("no recorded call"),
		});
		expect(silent.repo.read("sparring.yaml")).toBe(silent.text);
		const slow = planned(
			{ steps: [plans({ one: DOCS }, { delayMs: 5 })] },
			`budget: { wall: 1ms }\n${FILE}`,
		);
		const spent = await slow.spar(["plan", "need.md", "--json"]);
		expect(spent.code).toBe(4);
		expect(JSON.parse(spent.stdout)).toMatchObject({
			outcome: "unpaid",
			reason: textLike("is spent"),
		});
		expect(slow.repo.read("sparring.yaml")).toBe(slow.text);
	},
);

thorough(
	"a file without tasks gets its first ones; one with errors is told about them, and nobody is called",
	async () => {
		const bare = FILE.slice(0, FILE.indexOf("\ntasks:"));
		const set = planned({ steps: [plans({ docs: DOCS })] }, bare);
		expect((await set.spar(["plan", "need.md"])).code).toBe(0);
		expect(set.repo.read("sparring.yaml")).toContain(`${set.text}tasks:\n  docs:\n`);
		const broken = planned({ steps: [] }, `${FILE}extra: 1\n`);
		const refused = await broken.spar(["plan", "need.md"]);
		expect(refused.code).toBe(2);
		expect(refused.stderr).toContain('unknown key "extra"');
		expect(broken.agents.calls()).toEqual([]);
	},
);

test("a plan without requirements or without a planner is refused before any call", async () => {
	const set = planned({ steps: [] }, FILE.replace("enabled: true", "enabled: false"));
	set.repo.write({ "empty.md": " \n" });
	for (const [file, why] of [
		["missing.md", "missing.md cannot be read"],
		["empty.md", "empty.md is empty"],
	] as const) {
		const { code, stderr } = await set.spar(["plan", file]);
		expect(code).toBe(2);
		expect(stderr).toContain(why);
	}
	const two = planned({ steps: [] }, TWO_AGENTS);
	const { code, stderr } = await two.spar(["plan", "need.md"]);
	expect(code).toBe(2);
	expect(stderr).toContain("does not say which agent plans");
	expect(two.agents.calls()).toEqual([]);
});

const TWO_AGENTS = FILE.replace("enabled: true", "enabled: false").replace(
	"one:",
	"one:\n        agent: dev",
);

thorough("the agent named as planner plans, and a person's choice in defaults stands", async () => {
	const text = FILE.replace(
		"defaults:\n",
		"planner: dev\ndefaults:\n    requires_verification: false\n",
	);
	const set = planned({ steps: [plans({ limiter: LIMITER })] }, text);
	const { code, stdout } = await set.spar(["plan", "need.md", "--json"]);
	expect(code).toBe(0);
	expect(JSON.parse(stdout)).toMatchObject({
		planner: "dev",
		notes: [textLike("defaults of the file decide")],
		tasks: [{ id: "limiter", requires_verification: false, effective: false, by: "file" }],
	});
});

test("approve tells flag, decision, author and reason of each task, and changes nothing by itself", async () => {
	const set = planned({ steps: [] });
	expect(await set.json("approve")).toMatchObject({
		file: "sparring.yaml",
		digest: textLike(/^[0-9a-f]{64}$/),
		tasks: [
			{
				id: "one",
				requires_verification: "auto",
				effective: true,
				by: "heuristic",
				reason: "it touches a migration or a stored structure: db/migrations/1.sql",
				allow: [],
			},
		],
	});
	const { stdout } = await set.spar(["approve"]);
	expect(stdout).toContain(
		"one   auto                   coach     heuristic  it touches a migration",
	);
	expect(set.repo.read("sparring.yaml")).toBe(set.text);
	expect(await set.json("run", "--dry-run")).toMatchObject({
		tasks: [
			{ id: "one", verifier: "coach", requires_verification: true, verification_by: "heuristic" },
		],
	});
});

test("approve sets a flag in its place, as a person's, and keeps every other byte", async () => {
	const set = planned({ steps: [] });
	const flagged = (flag: boolean): string =>
		set.text
			.replace("requires_verification: auto #", `requires_verification: ${flag} #`)
			.replace(
				"        # max_turns: 5\n",
				"        # max_turns: 5\n        verification_by: person\n",
			);
	expect(await set.json("approve", "--no-verify", "one")).toMatchObject({
		tasks: [{ requires_verification: false, effective: false, by: "person" }],
	});
	expect(set.repo.read("sparring.yaml")).toBe(flagged(false));
	expect(await set.json("approve", "--verify-all")).toMatchObject({
		tasks: [{ requires_verification: true, effective: true, by: "person" }],
	});
	expect(set.repo.read("sparring.yaml")).toBe(flagged(true));
});

thorough("approve sets several, all or none, and a task by name against all", async () => {
	const set = planned({ steps: [plans({ limiter: LIMITER, docs: DOCS })] });
	await set.spar(["plan", "need.md"]);
	const flags = async (...args: readonly string[]) =>
		APPROVED.parse(await set.json("approve", ...args)).tasks.map(
			(task) => task.requires_verification,
		);
	expect(await flags()).toEqual(["auto", true, "auto"]);
	expect(await flags("--no-verify-all", "--verify", "docs")).toEqual([false, false, true]);
	expect(await flags("--verify", "one", "limiter", "--no-verify", "docs")).toEqual([
		true,
		true,
		false,
	]);
	expect(await flags("--no-verify-all")).toEqual([false, false, false]);
	expect(await flags("--auto", "limiter")).toEqual([false, "auto", false]);
	expect(await flags("--auto-all", "--verify", "one")).toEqual([true, "auto", "auto"]);
});

const APPROVED = z.looseObject({
	tasks: z.array(
		z.looseObject({ requires_verification: z.union([z.boolean(), z.literal("auto")]) }),
	),
});

test("approve refuses an unknown task, a contradiction and a flag that nobody can honour, and writes nothing", async () => {
	const set = planned({ steps: [] }, TWO_AGENTS);
	for (const [args, why] of [
		[["--verify", "onn"], 'did you mean "one"?'],
		[["--verify", "one", "--no-verify", "one"], "with --verify and with --no-verify"],
		[["--verify", "one"], "nobody can verify it"],
	] as const) {
		const { code, stderr } = await set.spar(["approve", ...args]);
		expect(code).toBe(2);
		expect(stderr).toContain(why);
	}
	expect(set.repo.read("sparring.yaml")).toBe(set.text);
});

thorough("a secret of the environment reaches neither the planner nor the file", async () => {
	const secret = "hunter2-hunter2-hunter2";
	const said = JSON.stringify({ tasks: { docs: { description: `Use ${secret}.` } } });
	const run = `cp $SPAR_PROMPT "$HOME/prompt"; echo '${said}' > $SPAR_REPORT; echo ${secret}`;
	const set = planned({ steps: [{ role: "planner", run }] });
	set.repo.write({ "need.md": `The token is ${secret}.\n` });
	const { code, stdout } = await set.spar(["plan", "need.md", "--json"], {
		env: { API_TOKEN: secret },
	});
	expect(code).toBe(0);
	expect(set.kept("prompt")).toContain("The token is");
	const log = set.repo.read(".sparring/transcripts/plan/turn-1-planner-1.log") ?? "";
	expect(log).not.toBe("");
	for (const text of [set.kept("prompt"), stdout, set.repo.read("sparring.yaml"), log])
		expect(text).not.toContain(secret);
});

thorough("a flag that others share by an anchor is not set, and the way out is named", async () => {
	const text = FILE.replace("    one:\n", "    one: &one\n").replace(
		"# The end.",
		"    two: *one\n# The end.",
	);
	const set = planned({ steps: [] }, text);
	const { code, stderr } = await set.spar(["approve", "--verify", "one"]);
	expect(code).toBe(2);
	expect(stderr).toContain("Write the flag by hand");
	expect(set.repo.read("sparring.yaml")).toBe(set.text);
});
