import { mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join, relative } from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";
import { thorough } from "../../../test/support/amount.ts";
import type { ProcessHost, ProcessRequest } from "../../process/process.ts";
import { readProcTable } from "../../process/process-table.ts";
import { bareHost } from "../../process/run-process.ts";
import {
	type AgentMakers,
	contractCall,
	describeAgentContract,
	HANGING,
	OTHER_REPORT,
	REPORT,
} from "../agent.contract.ts";
import type { Agent, AgentCall, AgentOutcome } from "../agent.ts";
import { commandAgent } from "./command-agent.ts";

const bash = (script: string, env: Record<string, string> = {}): Agent =>
	commandAgent({ run: ["bash", "-c", script], env, host: bareHost });

const answer = `printf '%s' '${REPORT}' > "$SPAR_REPORT"`;

const makers: AgentMakers = {
	answers: () => bash(answer),
	fails: () => bash("echo broken >&2; exit 3"),
	answersNothing: () => bash("exit 0"),
	reportsNoJson: () => bash("printf 'not { JSON' > \"$SPAR_REPORT\""),
	floods: () => bash(`head -c 6000000 /dev/zero | tr '\\0' x; ${answer}`),
	hangs: () => bash(`setsid sleep 300 & touch ${HANGING}; sleep 300`),
	leavesChildren: () => bash(`(setsid bash -c 'sleep 300 & sleep 300' &); sleep 300 & ${answer}`),
	diesHalfWay: () => bash("echo working; kill -KILL $$"),
	failsHavingSpent: { leftOut: "a program tells no tokens" },
	talksOn: () => bash(`${answer}; echo '${OTHER_REPORT}'`),
};

describeAgentContract("the command adapter", makers, ["failsHavingSpent"]);

const never = new AbortController().signal;
let dir = "";

beforeEach(async () => {
	dir = await mkdtemp(join(tmpdir(), "spar-command-"));
});

afterEach(() => rm(dir, { recursive: true }));

async function outcomeOf(agent: Agent, rest: Partial<AgentCall> = {}): Promise<AgentOutcome> {
	return agent.call(await contractCall(dir, rest), never);
}

test("the program sees prompt, checkout, protocol and its own variables", async () => {
	const script =
		'cat; pwd; echo "$SPAR_ROLE $SPAR_RUN $SPAR_TASK [$SPAR_SUBTASK] $SPAR_TURN $MINE"; ls "$SPAR_PROMPT" "$SPAR_CONTEXT" "$TMPDIR"';
	const outcome = await outcomeOf(bash(script, { MINE: "yes" }), { turn: 4 });
	expect(outcome.output.replaceAll(dir, "DIR").split("\n")).toEqual([
		"Judge.DIR",
		"coach r t [] 4 yes",
		"DIR/call-1/context.json",
		"DIR/call-1/prompt.md",
		"",
		"DIR/call-1/tmp:",
		"",
	]);
});

test.each(["player", "coach"] as const)(
	"a %s may write its checkout, its report's directory and its temporary one: it may have to build",
	async (role) => {
		const requests: ProcessRequest[] = [];
		const host: ProcessHost = {
			...bareHost,
			run: (request, signal) => {
				requests.push(request);
				return bareHost.run(request, signal);
			},
		};
		await outcomeOf(commandAgent({ run: ["true"], env: {}, host }), { role });
		expect(requests[0]?.writable).toEqual([dir, `${dir}/call-1/report`, `${dir}/call-1/tmp`]);
	},
);

test("the protocol's variables win over those of the workflow", async () => {
	const outcome = await outcomeOf(bash("echo $SPAR_ROLE", { SPAR_ROLE: "player" }));
	expect(outcome.output).toBe("coach\n");
});

test.each(["player", "planner"] as const)("a %s may print its report", async (role) => {
	const outcome = await outcomeOf(bash("echo 'working {\"a\":0}'; echo '{\"a\":1}'; echo bye"), {
		role,
	});
	expect(outcome).toMatchObject({ kind: "answered", report: '{"a":1}' });
});

test.each(["coach", "verifier", "evaluator", "tie_breaker"] as const)(
	"what a %s prints is no report",
	async (role) => {
		const outcome = await outcomeOf(bash(`echo '${REPORT}'`), { role });
		expect(outcome).toMatchObject({ kind: "answered", report: null });
	},
);

test("the file wins over what was printed, and error output is never a report", async () => {
	const both = bash('echo \'{"a":1}\'; echo \'{"a":2}\' > "$SPAR_REPORT"');
	expect(await outcomeOf(both, { role: "player" })).toMatchObject({ report: '{"a":2}\n' });
	expect(await outcomeOf(bash("echo '{}' >&2"), { role: "player" })).toMatchObject({
		report: null,
	});
});

test("a link in the report's place is not a report, and the transcript says so", async () => {
	const agent = bash(`printf '%s' '${REPORT}' > planted; ln -s "$PWD/planted" "$SPAR_REPORT"`);
	const outcome = await outcomeOf(agent);
	const reportProblem = "SPAR_REPORT is a symbolic link, not a file";
	expect(outcome).toMatchObject({ kind: "answered", report: null, reportProblem });
	expect(outcome.output).toContain("[spar] SPAR_REPORT is a symbolic link");
});

test.each([
	["a pipe", 'mkfifo "$SPAR_REPORT"', "SPAR_REPORT is not a regular file"],
	["a directory", 'mkdir "$SPAR_REPORT"', "SPAR_REPORT is not a regular file"],
])("%s in the report's place is named", async (_name, script, reportProblem) => {
	expect(await outcomeOf(bash(script))).toMatchObject({ report: null, reportProblem });
});

thorough("no problem stands beside a report, nor where nothing stands in its place", async () => {
	const printed = bash('mkdir "$SPAR_REPORT"; echo "{}"');
	const outcomes = [
		await outcomeOf(bash("exit 0")),
		await outcomeOf(bash(answer)),
		await outcomeOf(printed, { role: "player" }),
	];
	for (const outcome of outcomes) expect(outcome).not.toHaveProperty("reportProblem");
	expect(outcomes[2]).toMatchObject({ report: "{}" });
	expect(outcomes[2]?.output).toContain("[spar] SPAR_REPORT is not a regular file");
});

test.runIf(process.platform === "linux")(
	"a daemon that would write a later report ends with its call, wherever it works",
	async () => {
		for (const place of [".", '"$TMPDIR"', '"$(dirname "$SPAR_REPORT")"']) {
			const daemon = `env -i setsid bash -c 'echo $$ > ${dir}/up; exec sleep 300'`;
			const script = `rm -f ${dir}/up; cd ${place}; (${daemon} > /dev/null 2>&1 < /dev/null &)
				until [ -s ${dir}/up ]; do sleep 0.01; done`;
			expect((await outcomeOf(bash(script))).kind).toBe("answered");
			const pid = Number(await readFile(join(dir, "up"), "utf8"));
			const live = readProcTable().entries.map(({ pid }) => pid);
			expect(live).not.toContain(pid);
		}
	},
);

thorough("an exit code is named with the last line of error output", async () => {
	const agent = bash("echo first >&2; printf '\\033[31mno key\\033[0m\\n\\n' >&2; exit 3");
	expect(await outcomeOf(agent)).toMatchObject({
		kind: "failed",
		failure: "tool_error",
		message: "bash exited with code 3: first / [31mno key [0m",
	});
	expect(await outcomeOf(bash("echo no key; echo set API_KEY; exit 1"))).toMatchObject({
		message: "bash exited with code 1: no key / set API_KEY",
	});
	expect(await outcomeOf(bash("echo asks; kill -KILL $$"))).toMatchObject({
		message: "bash was ended by SIGKILL: asks",
	});
	expect(await outcomeOf(bash("echo asks; sleep 300"), { timeoutMs: 150 })).toMatchObject({
		message: "bash did not end within 0.15 s: asks",
	});
	expect(await outcomeOf(bash("echo not logged in"))).toMatchObject({
		report: null,
		reportProblem: "no report was handed in; last output: not logged in",
	});
	expect(await outcomeOf(bash("exit 9"))).toMatchObject({ message: "bash exited with code 9" });
});

test("a signal is named", async () => {
	expect(await outcomeOf(bash("kill -KILL $$"))).toMatchObject({
		kind: "failed",
		failure: "tool_error",
		message: "bash was ended by SIGKILL",
	});
});

thorough("a timeout names its limit", async () => {
	expect(await outcomeOf(bash("sleep 300"), { timeoutMs: 150 })).toMatchObject({
		kind: "failed",
		failure: "timeout",
		message: "bash did not end within 0.15 s",
	});
});

test("a missing program and one that cannot run are named", async () => {
	const missing = commandAgent({ run: ["no-such-agent"], env: {}, host: bareHost });
	expect(await outcomeOf(missing)).toMatchObject({
		kind: "failed",
		failure: "unknown",
		message: "no-such-agent could not be started: the program is missing",
	});
	await writeFile(join(dir, "plain.sh"), "x");
	expect(
		await outcomeOf(commandAgent({ run: ["./plain.sh"], env: {}, host: bareHost })),
	).toMatchObject({
		message: "plain.sh could not be started: EACCES",
	});
});

thorough(
	"a path with a slash is the checkout's file if there is one, else as from where we stand",
	async () => {
		const script = "#!/bin/sh\necho from $0\n";
		await writeFile(join(dir, "agent.sh"), script, { mode: 0o755 });
		expect(
			(await outcomeOf(commandAgent({ run: ["./agent.sh"], env: {}, host: bareHost }))).output,
		).toBe(`from ${dir}/agent.sh\n`);
		const away = relative(process.cwd(), "/bin/true");
		expect((await outcomeOf(commandAgent({ run: [away], env: {}, host: bareHost }))).kind).toBe(
			"answered",
		);
	},
);
