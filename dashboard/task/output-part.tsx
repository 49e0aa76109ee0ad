import type { JSX } from "preact";
import { useState } from "preact/hooks";
import { formatBytes } from "../../src/kernel/bytes.ts";
import type { LogFile, LogList } from "../../src/web/protocol.ts";
import { plain } from "../../src/words/states.ts";
import { api } from "../net/api.ts";
import { useResource } from "../net/resource.ts";
import { Refused } from "../parts/refused.tsx";
import { VirtualRows } from "../rows/virtual-rows.tsx";
import { LogView } from "./log-view.tsx";

function nameOf({ turn, source, name }: LogFile): string {
	const when = turn === null ? "" : turn === 0 ? "baseline, " : `turn ${turn}, `;
	return `${when}${plain(source)} ${name}`;
}

export function OutputPart({
	run,
	task,
}: {
	readonly run: string;
	readonly task: string;
}): JSX.Element {
	const logs = useResource<LogList>(api("runs", run, "tasks", task, "logs"), ({ events }) =>
		events.some((event) => event.run === run && event.task === task),
	);
	const [chosen, setChosen] = useState<string | null>(null);
	const all = logs.value.value?.logs.toReversed() ?? [];
	const shown = all.find(({ path }) => path === chosen) ?? all[0];
	if (shown === undefined) {
		if (logs.refusal.value !== null) return <Refused refusal={logs.refusal.value} />;
		return (
			<p class="dim">{logs.value.value === null ? "Reading …" : "Nothing has printed yet."}</p>
		);
	}
	return (
		<div class="output">
			<div>
				<VirtualRows
					label="Outputs, the newest first"
					kind="list"
					of={all}
					rowHeight={28}
					row={(log) => (
						<button
							type="button"
							key={log.path}
							class="case-row"
							aria-pressed={log === shown}
							onClick={() => setChosen(log.path)}
						>
							<span class="cut">{nameOf(log)}</span>
							<span class="number dim">{formatBytes(log.bytes)}</span>
						</button>
					)}
				/>
				{chosen !== null && (
					<button type="button" class="small" onClick={() => setChosen(null)}>
						Follow the newest
					</button>
				)}
			</div>
			<div>
				<h3>{nameOf(shown)}</h3>
				<LogView key={shown.path} place={{ run, task, path: shown.path }} />
			</div>
		</div>
	);
}
