import type { TaskLog } from "../app/task-logs.ts";
import { renderCheckName } from "../words/evidence-text.ts";
import { oneLine, visibleText } from "../words/visible-text.ts";
import type { Paint } from "./paint.ts";
import type { Outlet } from "./shell.ts";

type Read = (log: TaskLog, from: number) => Promise<string>;

interface Printed {
	/** Bytes that were read. */
	readonly bytes: number;
	/** The beginning of a line whose end has not come yet. */
	readonly rest: string;
}

/** @example `"turn 2, player, call 1"`, `"before turn 1, check tests (baseline)"`, `"setup of player"` */
function titleOf({ turn, source, name }: TaskLog): string {
	if (source === "setup") return `setup of ${name}`;
	const when = turn === 0 ? "before turn 1" : `turn ${turn}`;
	if (source !== "check") return `${when}, ${source.replace("_", "-")}, call ${name}`;
	const [, purpose = "turn", check = name] = /^(turn|baseline|assembled)-(.+)$/.exec(name) ?? [];
	const where = purpose === "turn" ? "" : ` (${purpose})`;
	return `${when}, ${renderCheckName({ check: oneLine(check) })}${where}`;
}

/**
 * Prints logs as they grow, in whole lines, each under its heading; as JSON each line with where it comes from. A log whose
 * file is written once more in the end, and is shorter then, is not printed again.
 */
export class LogPrinter {
	readonly #outlet: Outlet;
	readonly #options: { readonly task: string; readonly json: boolean; readonly paint: Paint };
	readonly #printed = new Map<string, Printed>();
	readonly #unended = new Map<string, TaskLog>();
	#last: TaskLog | null = null;

	constructor(
		outlet: Outlet,
		options: { readonly task: string; readonly json: boolean; readonly paint: Paint },
	) {
		this.#outlet = outlet;
		this.#options = options;
	}

	get isEmpty(): boolean {
		return this.#last === null;
	}

	/** Prints what is new in these logs, in their order. */
	async print(logs: readonly TaskLog[], read: Read): Promise<void> {
		for (const log of logs) {
			const { bytes, rest } = this.#printed.get(log.path) ?? { bytes: 0, rest: "" };
			const more = await read(log, bytes);
			if (more === "") continue;
			const text = rest + more;
			const end = text.lastIndexOf("\n") + 1;
			this.#lines(log, text.slice(0, end).split("\n").slice(0, -1));
			const unended = { bytes: bytes + Buffer.byteLength(more), rest: text.slice(end) };
			this.#printed.set(log.path, unended);
			if (unended.rest !== "") this.#unended.set(log.path, log);
		}
	}

	/** Prints lines whose end never came. */
	end(): void {
		for (const [path, log] of this.#unended) {
			const rest = this.#printed.get(path)?.rest ?? "";
			if (rest !== "") this.#lines(log, [rest]);
		}
	}

	#lines(log: TaskLog, lines: readonly string[]): void {
		if (lines.length === 0) return;
		const { json, task, paint } = this.#options;
		const { turn, source, name, path } = log;
		const of = { task_id: task, turn, source, name, path: `.sparring/${path}` };
		if (!json && this.#last?.path !== path) {
			const gap = this.#last === null ? "" : "\n";
			this.#outlet.print(`${gap}${paint("strong", `==> ${titleOf(log)}`)}\n`);
		}
		this.#last = log;
		const shown = (line: string): string => (this.#outlet.isTTY ? visibleText(line) : line);
		const texts = lines.map((line) => (json ? JSON.stringify({ ...of, line }) : shown(line)));
		if (json) for (const text of texts) this.#outlet.write(`${text}\n`);
		else this.#outlet.print(`${texts.join("\n")}\n`);
	}
}
