import { expect, test } from "vitest";
import type { ResumeOptions } from "../../drive/run-options.ts";
import type { HumanItem } from "../../human/human-item.ts";
import { Fault } from "../../kernel/fault.ts";
import type { Sparring } from "../../library/sparring.ts";
import type { Workflow } from "../../workflow/workflow.ts";
import { humanItem, runEvent, runReport, spar, taskReport } from "../fakes.contract.ts";

const RESOLVED = {
	...({ choice: "take_developer", directive: null, notes: null, reason: null } as const),
	answeredAt: "",
};

/** A paused run with questions, which completes when all are answered. */
function waiting(...ids: readonly string[]) {
	const items = new Map(ids.map((id): [string, HumanItem] => [id, humanItem({ id })]));
	const resumed: unknown[] = [];
	const parallel: unknown[] = [];
	const report = () => {
		const open = [...items.values()].filter(({ answer }) => answer === null);
		if (open.length === 0) return runReport();
		const tasks = Object.fromEntries(
			open.map(({ id }) => [
				id,
				taskReport({ status: "paused_for_human", human_item: id, merged: false }),
			]),
		);
		return { ...runReport("paused_for_user_escalation"), tasks };
	};
	const found = (id: string): HumanItem => items.get(id) ?? humanItem();
	const sparring = {
		resume: ({ runId, maxParallel }: ResumeOptions) => {
			resumed.push(runId);
			parallel.push(maxParallel);
			return Promise.resolve(report());
		},
		item: (id: string) => Promise.resolve(found(id)),
		resolveItem: (id: string) => {
			items.set(id, { ...found(id), status: "RESOLVED", answer: RESOLVED });
			return Promise.resolve(found(id));
		},
	};
	return { sparring, resumed, parallel };
}

test("in a terminal the person is asked, and the run goes on with the answer", async () => {
	const { sparring, resumed } = waiting("H1");
	const typed = ["developer", ""];
	const { code, out, err } = await spar(["resume", "r1"], { sparring, terminal: true, typed });
	expect(err).toContain("Your answer (1 to 5): ");
	expect(out).toBe("next: spar land r1    (spar diff --run r1, spar trace --run r1)\n");
	expect(code).toBe(0);
	expect(resumed).toEqual(["r1", "r1"]);
});

test("--max-parallel holds for what goes on after the answer too", async () => {
	const { sparring, parallel } = waiting("H1");
	const typed = ["developer", ""];
	const line = ["resume", "r1", "--max-parallel", "256"];
	await spar(line, { sparring, terminal: true, typed });
	expect(parallel).toEqual([256, 256]);
});

test.each([
	["later", ["later"]],
	["Ctrl-C", []],
])("%s leaves the question, says how to answer it, and exits with 3", async (_name, typed) => {
	const { sparring, resumed } = waiting("H1");
	const { code, out } = await spar(["resume", "r1"], { sparring, terminal: true, typed });
	expect(code).toBe(3);
	expect(out).toContain("spar questions H1");
	expect(resumed).toEqual(["r1"]);
});

test("what was left for later is not asked again when the run goes on", async () => {
	const { sparring, resumed } = waiting("H1", "H2");
	const typed = ["later", "developer", ""];
	const options = { sparring, terminal: true, typed, env: { NO_COLOR: "1" } };
	const { code, err } = await spar(["resume", "r1"], options);
	expect(code).toBe(3);
	expect(err.split("H1  task")).toHaveLength(2);
	expect(resumed).toEqual(["r1", "r1"]);
});

test("after Ctrl-C a given answer is kept, and the run waits", async () => {
	const { sparring, resumed } = waiting("H1", "H2");
	const typed = ["developer", ""];
	const { code } = await spar(["resume", "r1"], { sparring, terminal: true, typed });
	expect(code).toBe(3);
	expect(resumed).toEqual(["r1"]);
});

test.each([
	["without a terminal", ["resume", "r1"], { typed: [] }],
	["with --json", ["resume", "r1", "--json"], { terminal: true, typed: [] }],
	["in CI", ["resume", "r1"], { terminal: true, typed: [], env: { CI: "true" } }],
	["with an input that nobody types", ["resume", "r1"], { terminal: true }],
])("nobody is asked %s", async (_name, args, options) => {
	const { sparring } = waiting("H1");
	const { code, err } = await spar(args, { sparring, ...options });
	expect(code).toBe(3);
	expect(err).not.toContain("Your answer");
});

const PROBLEM = {
	kind: "check",
	check: "tests",
	why: "exit code 127",
	said: ["no pytest"],
} as const;

/** A run that asks about a problem before its first call, and completes when it may go on. */
function asking() {
	const answers: unknown[] = [];
	const run: Sparring["run"] = async ({ onPreflight }) => {
		answers.push(await onPreflight?.([PROBLEM]));
		return runReport();
	};
	const load: Sparring["load"] = () =>
		// Nothing of the workflow is read here.
		Promise.resolve({ workflow: {} as unknown as Workflow, errors: [], warnings: [] });
	return { sparring: { run, load }, answers };
}

test.each([
	["go", ["go"], true],
	["what is no answer and then stop", ["", "perhaps", "stop"], false],
	["Ctrl-C", [], false],
])("in a terminal a preflight is asked about: %s", async (_name, typed, expected) => {
	const { sparring, answers } = asking();
	const { err, shell } = await spar(["run"], { sparring, terminal: true, typed });
	expect(err).toContain('check tests could not run: "no pytest" (exit code 127)');
	expect(answers).toEqual([expected]);
	expect(shell.area.shown).toBe("");
});

test("without a terminal nobody is asked about a preflight", async () => {
	const { sparring, answers } = asking();
	await spar(["run"], { sparring, typed: ["go"] });
	expect(answers).toEqual([undefined]);
});

test("a run that another process resumes after the answer is followed there to its report", async () => {
	const { sparring } = waiting("H1");
	let resumes = 0;
	let looks = 0;
	const message = "run r1 is held by here:pid 7 since then";
	const ended = (id: number, turns: number) => ({
		...runEvent("task-ended", {
			...({ status: "completed", reason: null, merged: false, flags: [], checkout: null } as const),
			turns,
		}),
		id,
	});
	const stored = [
		ended(1, 11),
		{ ...runEvent("run-ended", { status: "paused_for_user_escalation" }), id: 2 },
		ended(3, 12),
		ended(4, 13),
		{ ...runEvent("run-ended", { status: "completed" }), id: 5 },
	];
	const held = {
		...sparring,
		resume: (options: ResumeOptions) => {
			resumes += 1;
			if (resumes === 1) return sparring.resume(options);
			throw new Fault(message, { code: "run-held", hint: "Wait." });
		},
		status: () => Promise.resolve({ ...runReport(), holder: looks < 2 ? "here:pid 7" : null }),
		events: (_run: string, after = 0) => {
			looks += 1;
			const known = stored.slice(0, looks === 1 ? 3 : stored.length);
			return Promise.resolve(known.filter(({ id }) => id > after)) as unknown as ReturnType<
				Sparring["events"]
			>;
		},
	};
	const typed = ["developer", ""];
	const { code, out, err, shell } = await spar(["resume", "r1"], {
		sparring: held,
		terminal: true,
		typed,
	});
	expect(err).toContain(`${message}; its progress is shown here, Ctrl-C ends this view only`);
	expect(shell.area.persisted.join("\n").match(/after 1[123] turns/g)).toEqual([
		"after 12 turns",
		"after 13 turns",
	]);
	expect(out).toContain("next: spar land r1");
	expect(code).toBe(0);
});

test("another fault after the answer is an error", async () => {
	const { sparring } = waiting("H1");
	let resumes = 0;
	const lost = {
		...sparring,
		resume: (options: ResumeOptions) => {
			resumes += 1;
			if (resumes === 1) return sparring.resume(options);
			throw new Fault("the disk is full", { code: "state-unwritable", hint: "Make room." });
		},
	};
	const typed = ["developer", ""];
	const { code, err } = await spar(["resume", "r1"], { sparring: lost, terminal: true, typed });
	expect(err).toContain("the disk is full");
	expect(code).not.toBe(0);
});
