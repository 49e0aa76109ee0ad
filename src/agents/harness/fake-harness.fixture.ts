import { mkdtemp, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { systemClock } from "../../kernel/clock.ts";
import { bareHost } from "../../process/run-process.ts";
import { type AgentMakers, HANGING, OTHER_REPORT, REPORT } from "../agent.contract.ts";
import type { Agent } from "../agent.ts";
import type { Harness, HarnessEnd, HarnessExit, HarnessSeat } from "./harness.ts";
import { type HarnessAgentOptions, harnessAgent } from "./harness-agent.ts";
import { JsonLines } from "./json-lines.ts";

/** What a fake program does besides printing its events. */
export interface FakeProgram {
	/** Printed as JSON Lines after `before`; strings are printed as they are. */
	readonly events: readonly unknown[];
	/** Shell lines that run before the events are printed; standard input has been read. */
	readonly before?: string;
	/** Shell lines that run after them, such as `exit 1`. */
	readonly after?: string;
}

/** Events of one harness as its real program prints them. */
export interface FakeStreams {
	/** A whole good call with this final message. */
	answered(message: string): readonly unknown[];
	/** A call that ends with the harness's own error event, having used tokens as far as it tells. */
	readonly failed: readonly unknown[];
	/** Says why `failed` tells no tokens, where the harness never does. */
	readonly tellsNoTokens?: string;
}

/**
 * Writes an executable that stands in for a harness's program: it reads its standard input, prints events, ends.
 *
 * @param dir an existing directory; each program gets one of its own below it
 * @returns absolute path of the program; `prompt` and `args` beside it hold what it was given, one argument a line
 */
export async function fakeProgram(dir: string, fake: FakeProgram): Promise<string> {
	const own = await mkdtemp(join(dir, "fake-"));
	const program = join(own, "program");
	const lines = fake.events.map((event) =>
		typeof event === "string" ? event : JSON.stringify(event),
	);
	await writeFile(join(own, "events"), lines.map((line) => `${line}\n`).join(""));
	const script = [
		"#!/bin/sh",
		`printf '%s\\n' "$@" > '${own}/args'`,
		`cat > '${own}/prompt'`,
		fake.before ?? ":",
		`cat '${own}/events'`,
		fake.after ?? ":",
	];
	await writeFile(program, `${script.join("\n")}\n`, { mode: 0o755 });
	return program;
}

/** The harness with a fake program in its place; fields of `rest` replaced. */
export async function fakeHarness(
	harness: Harness,
	dir: string,
	fake: FakeProgram,
	rest: Partial<HarnessAgentOptions> = {},
): Promise<Agent> {
	return harnessAgent(harness, {
		program: await fakeProgram(dir, fake),
		model: undefined,
		args: [],
		login: "key",
		env: {},
		store: {},
		host: bareHost,
		...rest,
	});
}

/** The scenarios of the agents' contract, played by fake programs that print this harness's events. */
export function harnessMakers(harness: Harness, streams: FakeStreams): AgentMakers {
	const play =
		(fake: FakeProgram) =>
		(dir: string): Promise<Agent> =>
			fakeHarness(harness, dir, fake);
	const good = streams.answered(REPORT);
	return {
		answers: play({ events: good }),
		fails: play({ events: streams.failed, after: "exit 1" }),
		answersNothing: play({ events: streams.answered("") }),
		reportsNoJson: play({ events: streams.answered("not { JSON") }),
		floods: play({ events: good, before: "head -c 6000000 /dev/zero | tr '\\0' x; echo" }),
		hangs: play({ events: [], before: `setsid sleep 300 & touch ${HANGING}; sleep 300` }),
		leavesChildren: play({
			events: good,
			after: "(setsid sh -c 'sleep 300 & sleep 300' &); sleep 300 &",
		}),
		diesHalfWay: play({ events: good.slice(0, 1), after: "kill -KILL $$" }),
		failsHavingSpent:
			streams.tellsNoTokens === undefined
				? play({ events: streams.failed, after: "exit 1" })
				: { leftOut: streams.tellsNoTokens },
		talksOn: play({ events: [...good, ...streams.answered(OTHER_REPORT).slice(1)] }),
	};
}

/** The seat of a coach with `login: user` outside of a sandbox; fields of `rest` replaced. */
export function seat(rest: Partial<HarnessSeat> = {}): HarnessSeat {
	return {
		role: "coach",
		rights: "read",
		prompt: "Judge.",
		login: "user",
		confined: false,
		cwd: "/checkout",
		workDir: "/call",
		tmpDir: "/call/tmp",
		home: "/call/home",
		userHome: "/home/user",
		store: {},
		model: undefined,
		args: [],
		schema: null,
		...rest,
	};
}

/** What a program that ended well leaves. */
const WELL: HarnessExit = { exitCode: 0, signal: null, stderr: "" };

/**
 * What the harness's reader makes of these events, or of the text of a recorded stream.
 *
 * @param now what time it is meanwhile: milliseconds since the epoch
 */
export function endOf(
	harness: Harness,
	events: string | readonly unknown[],
	exit: Partial<HarnessExit> = {},
	now = 0,
): HarnessEnd {
	const reader = harness.reader({ ...systemClock, now: () => now });
	if (typeof events === "string") {
		const lines = new JsonLines((event) => reader.read(event));
		lines.add(events);
		lines.end();
	} else {
		for (const event of events) reader.read(event);
	}
	return reader.end({ ...WELL, ...exit });
}
