import { oneLine, visibleText } from "../../kernel/visible-text.ts";
import { noSuchTurn } from "../../library/no-such-turn.ts";
import type { Sparring } from "../../library/sparring.ts";
import type { LogSource, TaskLog } from "../../library/task-logs.ts";
import { onlyTask } from "../../library/verbs/call.ts";
import { outwaitStore } from "../../machines/outwait-store.ts";
import { stepsIn } from "../../seats/harnesses.ts";
import type { StoredEvent } from "../../trace/event.ts";
import type { RunReport } from "../../view/report.ts";
import { renderCheckName } from "../../words/evidence-text.ts";
import { EXIT } from "../terminal/exit-code.ts";
import { interruptible } from "../terminal/interrupt.ts";
import { usageFault, wholeNumber } from "../terminal/option-values.ts";
import { type Paint, paintFor } from "../terminal/paint.ts";
import type { Outlet } from "../terminal/shell.ts";
import { verbCommand } from "../terminal/verb-command.ts";

const SOURCES: ReadonlyMap<string, LogSource> = new Map([
	["player", "player"],
	["developer", "player"],
	["coach", "coach"],
	["reviewer", "coach"],
	["verifier", "verifier"],
	["evaluator", "evaluator"],
	["tie_breaker", "tie_breaker"],
	["tie-breaker", "tie_breaker"],
	["check", "check"],
	["checks", "check"],
	["setup", "setup"],
]);

interface WantedLogs {
	readonly task: string;
	readonly runId: string;
	readonly role: string | undefined;
	readonly turn: number | undefined;
}

function agentsIn({ type, data }: StoredEvent): readonly (string | null)[] {
	if (type === "agent-called") return [data.agent];
	const isSeated = type === "task-started" || type === "seats-switched";
	return isSeated ? [data.player, data.coach] : [];
}

// Of an agent only calls are known that have begun.
async function logFilter(
	sparring: Pick<Sparring, "trace">,
	{ task, runId, role, turn }: WantedLogs,
): Promise<(log: TaskLog) => boolean> {
	const isOfTurn = (log: TaskLog): boolean => turn === undefined || log.turn === turn;
	if (role === undefined) return isOfTurn;
	const source = SOURCES.get(role.toLowerCase());
	if (source !== undefined) return (log) => isOfTurn(log) && log.source === source;
	const { events } = await sparring.trace(task, runId);
	if (!events.flatMap(agentsIn).includes(role)) {
		throw usageFault(
			`--role ${role} is no role, and no agent of ${task}`,
			"Give player, coach, verifier, evaluator, tie-breaker, check, setup, or the name of an agent.",
		);
	}
	const calls = new Set(
		events.flatMap((event) =>
			event.type === "agent-called" && event.data.agent === role
				? [`${event.turn}/${event.data.role}/${event.data.call}`]
				: [],
		),
	);
	return (log) => isOfTurn(log) && calls.has(`${log.turn}/${log.source}/${log.name}`);
}

interface Printed {
	readonly log: TaskLog;
	readonly bytes: number;
	// The beginning of a line whose end has not come yet.
	readonly rest: string;
}

// `turn 2, player, call 1`, `before turn 1, check tests (baseline)`, `setup of player`
function titleOf({ turn, source, name }: TaskLog): string {
	if (source === "setup") return `setup of ${name}`;
	const when = turn === 0 ? "before turn 1" : `turn ${turn}`;
	if (source !== "check") return `${when}, ${source.replace("_", "-")}, call ${name}`;
	const [, purpose = "turn", check = name] = /^(turn|baseline|assembled)-(.+)$/.exec(name) ?? [];
	const where = purpose === "turn" ? "" : ` (${purpose})`;
	return `${when}, ${renderCheckName({ check: oneLine(check) })}${where}`;
}

/** Runs of tests that must fail, whose failures are no news. */
const isProbe = ({ source, name }: TaskLog): boolean =>
	source === "check" && /^(?:assembled-)?(?:canary(?:-base)?|plain-\w+):/.test(name);

const MARGIN = "result ".length;

// `reads  src/limiter.js`: what agents did, instead of the events of their programs; other lines as they are.
function stepLines(lines: readonly string[], paint: Paint): string[] {
	const told: { head: string; text: string; isPiece: boolean }[] = [];
	for (const line of lines) {
		const steps = stepsIn(line);
		if (steps === undefined) told.push({ head: "", text: line, isPiece: false });
		for (const { kind, text, isPiece = false } of steps ?? []) {
			const before = told.at(-1);
			if (isPiece && before?.isPiece === true) before.text += text;
			else told.push({ head: paint("strong", kind.padEnd(MARGIN)), text, isPiece });
		}
	}
	return told.map(({ head, text }) =>
		head === "" ? text : `${head}${text.trim().replaceAll("\n", `\n${" ".repeat(MARGIN)}`)}`,
	);
}

interface PrinterOptions {
	readonly task: string;
	readonly json: boolean;
	readonly isRaw: boolean;
	readonly paint: Paint;
}

// A log that is written once more in the end, and is shorter then, is not printed again.
class LogPrinter {
	readonly #outlet: Outlet;
	readonly #options: PrinterOptions;
	readonly #printed = new Map<string, Printed>();
	#last: TaskLog | null = null;

	constructor(outlet: Outlet, options: PrinterOptions) {
		this.#outlet = outlet;
		this.#options = options;
	}

	get isEmpty(): boolean {
		return this.#last === null;
	}

	async print(
		logs: readonly TaskLog[],
		read: (log: TaskLog, from: number) => Promise<string>,
	): Promise<void> {
		for (const log of logs) {
			const { bytes, rest } = this.#printed.get(log.path) ?? { bytes: 0, rest: "" };
			const more = await read(log, bytes);
			if (more === "") continue;
			const text = rest + more;
			const end = text.lastIndexOf("\n") + 1;
			this.#lines(log, text.slice(0, end).split("\n").slice(0, -1));
			const known = { log, bytes: bytes + Buffer.byteLength(more), rest: text.slice(end) };
			this.#printed.set(log.path, known);
		}
	}

	end(): void {
		for (const { log, rest } of this.#printed.values()) if (rest !== "") this.#lines(log, [rest]);
	}

	#lines(log: TaskLog, lines: readonly string[]): void {
		if (lines.length === 0) return;
		const { json, task, paint, isRaw } = this.#options;
		const { turn, source, name, path } = log;
		const isTold = !json && !isRaw && source !== "check" && source !== "setup";
		const shown = (line: string): string => (this.#outlet.isTTY ? visibleText(line) : line);
		const texts = (isTold ? stepLines(lines, paint) : lines).map(shown);
		if (texts.length === 0) return;
		const of = { task_id: task, turn, source, name, path: `.sparring/${path}` };
		if (!json && this.#last?.path !== path) {
			const gap = this.#last === null ? "" : "\n";
			this.#outlet.print(`${gap}${paint("strong", `==> ${titleOf(log)}`)}\n`);
		}
		this.#last = log;
		if (json) for (const line of lines) this.#outlet.write(`${JSON.stringify({ ...of, line })}\n`);
		else this.#outlet.print(texts.map((text) => `${text}\n`).join(""));
	}
}

function isUnderWay({ holder, tasks }: RunReport, task: string): boolean {
	const status = tasks[task]?.status;
	const isOver = status === "completed" || status === "failed" || status === "cancelled";
	return holder !== null && !isOver;
}

// One that has begun may have printed nothing yet.
function requireTurn(
	{ task, turn }: { readonly task: string; readonly turn: number | undefined },
	{ tasks }: RunReport,
	found: readonly TaskLog[],
): void {
	const turns = tasks[task]?.turns ?? 0;
	if (turn === undefined || turn <= turns || found.some((log) => log.turn === turn)) return;
	throw noSuchTurn("logs", { task, turn, turns });
}

// 0 too, for what came before the first.
const turnNumber = (text: string): number => (text === "0" ? 0 : wholeNumber(text));

interface LogFlags {
	readonly follow?: boolean;
	readonly raw?: boolean;
	readonly role?: string;
	readonly turn?: number;
}

export const command = verbCommand<"logs", LogFlags>("logs", {
	behind: {
		"[task]": {
			"--follow": "go on while the task is under way",
			"--role <role>": "only what this seat or agent printed, or check, or setup",
			"--turn <n>": ["only what was printed in this turn; 0 is the baseline", turnNumber],
		},
	},
	options: {
		"--raw":
			"show what was printed, instead of what the agent said and did; also by tests that must fail",
		"--json": "print each line as a line of JSON",
	},
	act: async ({ shell, sparring, flags, given: { task: named, runId: asked } }) => {
		const task = await onlyTask(sparring, named, asked);
		const first = await sparring.status(asked);
		const { run_id: runId } = first;
		const wanted = { task, runId, role: flags.role, turn: flags.turn };
		const paint = paintFor(shell.out, shell.env);
		const printer = new LogPrinter(shell.out, {
			task,
			json: flags.json === true,
			isRaw: flags.raw === true,
			paint,
		});
		const read = (log: TaskLog, from: number): Promise<string> => sparring.readLog(log, from);
		/** Prints what is new, and says whether more can come. */
		const look = async (): Promise<boolean> => {
			const report = flags.follow === true ? await sparring.status(runId) : first;
			const goesOn = flags.follow === true && isUnderWay(report, task);
			const found = await sparring.logs(task, runId);
			// A task that goes on may still come to that turn.
			if (!goesOn) requireTurn(wanted, report, found);
			const isWanted = await logFilter(sparring, wanted);
			const isShown = (log: TaskLog): boolean => flags.raw === true || !isProbe(log);
			await printer.print(
				found.filter((log) => isShown(log) && isWanted(log)),
				read,
			);
			return goesOn;
		};
		const onNotice = (text: string): void => shell.err.print(`${text}\n`);
		const ended = await interruptible(shell, async (signal) => {
			const pause = (): Promise<void> => shell.pause(signal);
			while ((await outwaitStore(look, { signal, onNotice, pause })) && !signal.aborted)
				await pause();
			printer.end();
			return signal.aborted ? null : EXIT.done;
		});
		if (printer.isEmpty && flags.json !== true) shell.err.print("nothing was printed yet\n");
		return ended ?? EXIT.interrupted;
	},
});
