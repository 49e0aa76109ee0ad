import type { ResumeOptions } from "../drive/run-options.ts";
import type { HumanItem } from "../human/human-item.ts";
import { anItem, type ItemPart } from "../human/item-builder.contract.ts";
import type { Sparring } from "../library/sparring.ts";
import type { StoredEvent } from "../trace/event.ts";
import { runReport, suiteWork, taskReport, usageReport } from "../view/report.fixture.ts";
import type { RunReport } from "../view/report.ts";
import { runCli } from "./run-cli.ts";
import type { Conversation } from "./terminal/ask-person.ts";
import { noPaint } from "./terminal/paint.ts";
import type { Shell } from "./terminal/shell.ts";

export { runReport, suiteWork, taskReport, usageReport };

/** An open item of task `limiter`. */
export const humanItem = (changes: ItemPart = {}): HumanItem => anItem({ id: "H1", ...changes });

/** An open item about conflicts over these findings. */
export function conflictItem(findings: readonly string[], changes: ItemPart = {}): HumanItem {
	const conflicts = findings.map((finding, index) => ({
		conflict_id: `c${index + 1}`,
		finding,
		attempt: 3,
		escalation_reason: "Maximum auto-resolution attempts reached; user intervention required.",
		developer: { reason: "the burst is counted", evidence: "test burst" },
		reviewer: { issue: "refuses never", rationale: "the test is hollow" },
		tie_breaker: null,
	}));
	const reason = "Player and coach could not agree";
	return humanItem({ trigger: "conflict", reason, context: { conflicts }, ...changes });
}

let lastEvent = 0;

/** An event of run `r1`, task `limiter`, turn 1 unless told otherwise. */
export function runEvent<Type extends StoredEvent["type"]>(
	type: Type,
	data: Extract<StoredEvent, { type: Type }>["data"],
	where: Partial<Pick<StoredEvent, "task" | "turn" | "node" | "timestamp">> = {},
): StoredEvent {
	lastEvent += 1;
	const place = { task: "limiter", turn: 1, node: null, timestamp: "2026-11-21T22:05:09.000Z" };
	const event = { id: lastEvent, run: "r1", type, data, ...place, ...where };
	// Type and data belong together by the signature, which the compiler does not follow into the union.
	return event as unknown as StoredEvent;
}

/** Methods of a fake. The command line resumes runs, and no tasks by name. */
type FakeMethods = Partial<Omit<Sparring, "resume">> & {
	readonly resume?: (options: ResumeOptions) => Promise<RunReport>;
};

/** A Sparring of which only the given methods may be called. */
function fakeSparring({ resume, ...methods }: FakeMethods): Sparring {
	const refuse = (name: string) => () => {
		throw new Error(`unexpected call of ${name}`);
	};
	return {
		root: "/repo",
		load: refuse("load"),
		validate: refuse("validate"),
		plan: refuse("plan"),
		planTasks: refuse("planTasks"),
		approve: refuse("approve"),
		run: refuse("run"),
		runTask: refuse("runTask"),
		runParallel: refuse("runParallel"),
		resume: (resume ?? refuse("resume")) as Sparring["resume"],
		stream: refuse("stream"),
		status: refuse("status"),
		result: refuse("result"),
		runs: () => Promise.resolve([]),
		trace: refuse("trace"),
		loadState: refuse("loadState"),
		diff: refuse("diff"),
		gate: refuse("gate"),
		findings: refuse("findings"),
		events: refuse("events"),
		logs: refuse("logs"),
		readLog: refuse("readLog"),
		lastSaid: () => Promise.resolve(new Map()),
		calibration: refuse("calibration"),
		check: refuse("check"),
		checkHistory: refuse("checkHistory"),
		land: refuse("land"),
		propose: refuse("propose"),
		cancel: refuse("cancel"),
		prune: refuse("prune"),
		items: refuse("items"),
		item: refuse("item"),
		resolveItem: refuse("resolveItem"),
		rejectItem: refuse("rejectItem"),
		ackItem: refuse("ackItem"),
		itemVersion: () => Promise.resolve("v1"),
		close: () => undefined,
		...methods,
	};
}

/** A shell whose streams are texts and whose signals a test sends. */
export interface FakeShell extends Shell {
	readonly printed: { out: string; err: string };
	/** What the live area shows, and what was persisted above it. */
	readonly area: { shown: string; persisted: string[] };
	readonly opened: { readOnly: boolean }[];
	readonly exits: number[];
	/** Dashboards that were served. */
	readonly dashboards: readonly { readonly port: number; readonly closed: number }[];
	/** Addresses that a browser was opened with. */
	readonly browsed: readonly string[];
	/** Sends Ctrl-C. */
	interrupt(signal?: NodeJS.Signals): void;
	/** Lets a second pass. */
	tick(): void;
	listeners(): number;
}

interface FakeShellOptions {
	readonly sparring?: FakeMethods;
	readonly directory?: string;
	readonly env?: Shell["env"];
	readonly terminal?: boolean;
	/** Default: 80. */
	readonly columns?: number;
	/** Default: 24. */
	readonly rows?: number;
	/** Called whenever a command waits a moment. */
	readonly onPause?: () => void;
	/** What stands on standard input, where nobody types. */
	readonly input?: string;
	/** What a person types; then the input ends. Default: nobody types. */
	readonly typed?: readonly string[];
}

export function fakeShell(options: FakeShellOptions = {}): FakeShell {
	const printed = { out: "", err: "" };
	const add = (name: "out" | "err") => (text: string) => {
		printed[name] += text;
	};
	const persisted: string[] = [];
	const area = { shown: "", persisted };
	const opened: { readOnly: boolean }[] = [];
	const exits: number[] = [];
	const dashboards: { port: number; closed: number }[] = [];
	const browsed: string[] = [];
	let codes = 0;
	const interrupts = new Set<(signal: NodeJS.Signals) => void>();
	const ticks = new Set<() => void>();
	const lines = [...(options.typed ?? [])];
	const stream = {
		isTTY: options.terminal ?? false,
		columns: options.columns ?? 80,
		rows: options.rows ?? 24,
	};
	let now = Date.parse("2026-11-21T22:06:09.000Z");
	return {
		printed,
		area,
		opened,
		exits,
		dashboards,
		browsed,
		directory: options.directory ?? "/repo",
		env: options.env ?? {},
		out: {
			...stream,
			write: add("out"),
			print: add("out"),
		},
		err: {
			...stream,
			write: add("err"),
			print: add("err"),
		},
		isTyped: options.typed !== undefined,
		readInput: () => Promise.resolve(options.input ?? ""),
		showLong: (text) => {
			printed.out += text;
			return Promise.resolve();
		},
		openReader: () => {
			const readLine = (prompt: string): Promise<string | null> => {
				printed.err += prompt;
				return Promise.resolve(lines.shift() ?? null);
			};
			const yieldTo = (work: () => Promise<void>): Promise<void> => work();
			return Promise.resolve({ readLine, readNext: readLine, yieldTo, close: () => undefined });
		},
		now: () => now,
		open: (access) => {
			opened.push(access);
			return Promise.resolve(fakeSparring(options.sparring ?? {}));
		},
		openDashboard: (asked) => {
			dashboards.push({ ...asked, closed: 0 });
			const index = dashboards.length - 1;
			return Promise.resolve({
				address: "http://127.0.0.1:7700/",
				newUrl: () => {
					codes += 1;
					return `http://127.0.0.1:7700/#code=${codes}`;
				},
				close: () => {
					const shown = dashboards[index];
					if (shown !== undefined) shown.closed += 1;
					return Promise.resolve();
				},
			});
		},
		openWire: () => Promise.reject(new Error("no test of this shell speaks a protocol")),
		openMachines: () => Promise.reject(new Error("no test of this shell opens machines")),
		serveVerifier: () => Promise.reject(new Error("no test of this shell serves a verifier")),
		openBrowser: (url) => void browsed.push(url),
		openLiveArea: () =>
			Promise.resolve({
				draw: (text) => {
					area.shown = text;
				},
				persist: (text) => void area.persisted.push(text),
				clear: () => {
					area.shown = "";
				},
			}),
		everySecond: (tick) => {
			ticks.add(tick);
			return () => void ticks.delete(tick);
		},
		pause: () => {
			options.onPause?.();
			return Promise.resolve();
		},
		onInterrupt: (listener) => {
			interrupts.add(listener);
			return () => void interrupts.delete(listener);
		},
		exitNow: (code) => void exits.push(code),
		interrupt: (signal = "SIGINT") => {
			for (const listener of interrupts) listener(signal);
		},
		tick: () => {
			now += 1_000;
			for (const tick of ticks) tick();
		},
		listeners: () => interrupts.size + ticks.size,
	};
}

/** Runs a command line with a fake Sparring. */
export async function spar(
	args: readonly string[],
	options: FakeShellOptions = {},
): Promise<{
	readonly code: number;
	readonly out: string;
	readonly err: string;
	readonly shell: FakeShell;
}> {
	const shell = fakeShell(options);
	const code = await runCli(args, shell);
	return { code, ...shell.printed, shell };
}

/** A person who types these lines and then ends the input; `shown` is what they read. */
export function typing(...lines: readonly string[]): Conversation & { shown: () => string } {
	const rest = [...lines];
	let shown = "";
	const write = (text: string): void => {
		shown += text;
	};
	const readLine = (prompt: string): Promise<string | null> => {
		write(prompt);
		return Promise.resolve(rest.shift() ?? null);
	};
	const outlet = { isTTY: true, columns: 80, rows: 24, write, print: write };
	const showDiff = ({ taskId }: HumanItem): Promise<void> => {
		write(`the diff of ${taskId}\n`);
		return Promise.resolve();
	};
	const reader = { readLine, readNext: readLine };
	return { reader, outlet, paint: noPaint, showDiff, shown: () => shown };
}
