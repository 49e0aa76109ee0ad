import { signal } from "@preact/signals";
import type { JSX } from "preact";
import { useEffect, useMemo, useState } from "preact/hooks";
import { formatBytes } from "../../src/kernel/bytes.ts";
import { counted } from "../../src/kernel/counted.ts";
import type { LogPart } from "../../src/web/protocol.ts";
import { api, get, type Refusal } from "../net/api.ts";
import { live } from "../net/live.ts";
import { Dialog } from "../parts/dialog.tsx";
import { Refused } from "../parts/refused.tsx";
import { VirtualRows } from "../rows/virtual-rows.tsx";
import { LogLines } from "./log-lines.ts";

export interface LogPlace {
	readonly run: string;
	readonly task: string;
	readonly path: string;
}

class LogReader {
	readonly lines = new LogLines();
	readonly version = signal(0);
	readonly bytes = signal(0);
	readonly refusal = signal<Refusal | null>(null);
	readonly #place: LogPlace;
	#next = 0;
	#isBusy = false;
	#isStale = false;
	#isOver = false;

	constructor(place: LogPlace) {
		this.#place = place;
	}

	/** Reads on from where it stands; again, where it grew meanwhile. */
	async read(): Promise<void> {
		this.#isStale = true;
		if (this.#isBusy) return;
		this.#isBusy = true;
		while (this.#isStale && !this.#isOver) {
			this.#isStale = false;
			await this.#readToEnd();
		}
		this.#isBusy = false;
	}

	end(): void {
		this.#isOver = true;
	}

	async #readToEnd(): Promise<void> {
		const { run, task, path } = this.#place;
		for (;;) {
			const query = new URLSearchParams({ path, from: String(this.#next) });
			const reply = await get<LogPart>(`${api("runs", run, "tasks", task, "log")}?${query}`);
			if (this.#isOver) return;
			if (!reply.ok) {
				this.refusal.value = reply.refusal;
				return;
			}
			const { next, bytes, text } = reply.value;
			if (bytes < this.#next) {
				// Written once more at the end of its call, and shorter.
				this.#next = 0;
				this.lines.clear();
				continue;
			}
			const isAtEnd = next >= bytes || next === this.#next;
			this.#next = next;
			this.lines.add(text);
			this.bytes.value = bytes;
			this.version.value += 1;
			if (isAtEnd) return;
		}
	}
}

export function LogView({ place }: { readonly place: LogPlace }): JSX.Element {
	const { run, task, path } = place;
	const reader = useMemo(() => new LogReader({ run, task, path }), [run, task, path]);
	useEffect(() => {
		live.follow({ run, task, path });
		const stop = live.listen(({ news }) => {
			const hasGrown = news.some(
				(heard) =>
					(heard.type === "log-grown" && heard.data.path === path) || heard.type === "caught-up",
			);
			if (hasGrown) void reader.read();
		});
		void reader.read();
		return () => {
			live.follow(null);
			stop();
			reader.end();
		};
	}, [reader]);
	const { lines, version, bytes, refusal } = reader;
	const longest = useMemo(() => lines.longest(), [version.value]);
	return (
		<div class="log-view" data-version={version.value}>
			<p class="dim">
				{formatBytes(bytes.value)}, {counted(lines.count, "line")}
				{lines.forgotten > 0 && `; the first ${counted(lines.forgotten, "line")} are not shown`}
			</p>
			<Refused refusal={refusal.value} />
			{lines.count > 0 && (
				<VirtualRows
					label={`Output ${path}`}
					kind="log"
					of={{ length: lines.count, at: (index) => lines.at(index) }}
					rowHeight={19}
					columns={longest}
					isFollowing={true}
					row={(line, index) => (
						<div key={index} class="log-row">
							{line}
						</div>
					)}
				/>
			)}
		</div>
	);
}

export function OutputOf({ place }: { readonly place: LogPlace }): JSX.Element {
	const [isOpen, setOpen] = useState(false);
	return (
		<>
			<button type="button" class="small" onClick={() => setOpen(true)}>
				output
			</button>
			{isOpen && (
				<Dialog title={place.path} close={() => setOpen(false)} isWide={true}>
					<LogView place={place} />
				</Dialog>
			)}
		</>
	);
}
