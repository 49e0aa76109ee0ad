import type { JSX } from "preact";
import { useEffect, useState } from "preact/hooks";
import { formatBytes } from "../../src/kernel/bytes.ts";
import type { LogList, TaskDetail, TaskView } from "../../src/web/protocol.ts";
import { api } from "../net/api.ts";
import { useResource } from "../net/resource.ts";
import { Badge } from "../parts/badge.tsx";
import { Refused } from "../parts/refused.tsx";
import { VirtualRows } from "../rows/virtual-rows.tsx";
import { LogView } from "./log-view.tsx";
import { type NamedOutput, namedOutputs } from "./named-outputs.ts";

function OutputRow({
	output: { name, status, log },
	isShown,
	choose,
}: {
	readonly output: NamedOutput;
	readonly isShown: boolean;
	readonly choose: () => void;
}): JSX.Element {
	return (
		<button type="button" class="case-row" aria-pressed={isShown} onClick={choose}>
			<span class="cut">{name}</span>
			{status !== null && <Badge word={status} />}
			<span class="number dim">{formatBytes(log.bytes)}</span>
		</button>
	);
}

const LOOK_AGAIN_MS = 2_000;

const isWorkedOn = ({ report: { status } }: TaskView): boolean =>
	status === "running" || status === "needs_rework";

export function OutputPart({ run: { run_id: run }, task }: TaskDetail): JSX.Element {
	const { id } = task;
	const logs = useResource<LogList>(api("runs", run, "tasks", id, "logs"), ({ events }) =>
		events.some((event) => event.run === run && event.task === id),
	);
	const [chosen, setChosen] = useState<string | null>(null);
	// A call prints its first word without an event that tells of it, and may say nothing else for long.
	const mayBegin = isWorkedOn(task);
	useEffect(() => {
		if (!mayBegin) return;
		const timer = setInterval(logs.reload, LOOK_AGAIN_MS);
		return () => clearInterval(timer);
	}, [logs, mayBegin]);
	const all = namedOutputs(task, logs.value.value?.logs ?? []);
	const shown = all.find(({ log }) => log.path === chosen) ?? all[0];
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
					label="Outputs, what failed first, then the newest"
					kind="list"
					of={all}
					rowHeight={28}
					row={(output) => (
						<OutputRow
							key={output.log.path}
							output={output}
							isShown={output === shown}
							choose={() => setChosen(output.log.path)}
						/>
					)}
				/>
				{chosen !== null && (
					<button type="button" class="small" onClick={() => setChosen(null)}>
						Show the first again
					</button>
				)}
			</div>
			<div>
				<h3>{shown.name}</h3>
				<LogView key={shown.log.path} place={{ run, task: id, path: shown.log.path }} />
			</div>
		</div>
	);
}
