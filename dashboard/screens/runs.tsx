import type { JSX } from "preact";
import { useState } from "preact/hooks";
import { formatDuration } from "../../src/kernel/duration.ts";
import type { RunRow, RunsPage } from "../../src/web/protocol.ts";
import { runStanding, runWords, tasksText } from "../../src/words/standing.ts";
import { isFound } from "../format/is-found.ts";
import { money } from "../format/numbers.ts";
import { get, type Refusal } from "../net/api.ts";
import { useResource } from "../net/resource.ts";
import { Ago } from "../parts/ago.tsx";
import { StandingBadge } from "../parts/badge.tsx";
import { Refused } from "../parts/refused.tsx";
import { Search } from "../parts/search.tsx";
import { useTitle } from "../parts/title.ts";
import { link } from "../route.ts";
import { VirtualRows } from "../rows/virtual-rows.tsx";

const FILTERS = [
	["all", "All"],
	["active", "Active"],
	["waiting", "Waiting for you"],
	["failed", "Failed"],
	["unlanded", "Not landed"],
] as const;

const PAGE = 50;
const ROW_HEIGHT = 58;

function RunLine({ run }: { readonly run: RunRow }): JSX.Element {
	return (
		<a class="run-row" href={link("runs", run.run_id)}>
			<span class="run-name">
				<strong class="cut">{run.workflow}</strong>
				<span class="dim cut">{run.run_id}</span>
			</span>
			<span>
				<StandingBadge of={runStanding({ ...run, ...run.tasks })} isRow={true} />
				{run.landed && <span class="dim"> landed</span>}
				{run.cancel_requested && run.ended_at === null && <span class="dim"> ending</span>}
			</span>
			<span class="cut">{tasksText(run.tasks)}</span>
			<span class="number">
				{money(run.cost_usd)}
				{run.unknown_cost_calls > 0 && <span class="dim"> + ?</span>}
			</span>
			<span class="number">{formatDuration(run.held_ms)}</span>
			<span class="cut dim">{run.holder ?? "nobody"}</span>
			<span class="number dim">
				<Ago time={run.created_at} />
			</span>
		</a>
	);
}

function useOlder(filter: string): {
	readonly older: readonly RunRow[];
	readonly next: string | null | undefined;
	readonly refusal: Refusal | null;
	readonly read: (before: string) => void;
} {
	const [older, setOlder] = useState<readonly RunRow[]>([]);
	const [next, setNext] = useState<string | null | undefined>(undefined);
	const [refusal, setRefusal] = useState<Refusal | null>(null);
	const read = (before: string): void => {
		const query = new URLSearchParams({ filter, before, limit: String(PAGE) });
		void get<RunsPage>(`/api/runs?${query}`).then((reply) => {
			if (!reply.ok) return setRefusal(reply.refusal);
			setOlder((rows) => [...rows, ...reply.value.runs]);
			setNext(reply.value.next);
		});
	};
	return { older, next, refusal, read };
}

function Rows({ rows }: { readonly rows: readonly RunRow[] }): JSX.Element {
	return (
		<>
			<div class="run-row head" aria-hidden="true">
				<span>Workflow</span>
				<span>Status</span>
				<span>Tasks</span>
				<span class="number">Cost</span>
				<span class="number">Worked</span>
				<span>Held by</span>
				<span class="number">Started</span>
			</div>
			<VirtualRows
				label="Runs"
				kind="list tall"
				of={rows}
				rowHeight={ROW_HEIGHT}
				row={(run) => <RunLine key={run.run_id} run={run} />}
			/>
		</>
	);
}

export function RunsScreen({ filter }: { readonly filter: string }): JSX.Element {
	const query = new URLSearchParams({ filter, limit: String(PAGE) });
	const page = useResource<RunsPage>(
		`/api/runs?${query}`,
		({ events, news }) => events.length > 0 || news.some(({ type }) => type === "run-changed"),
	);
	useTitle("Runs");
	const { older, next, refusal, read } = useOlder(filter);
	const newest = page.value.value;
	const known = new Set(newest?.runs.map(({ run_id: id }) => id));
	const rows = [...(newest?.runs ?? []), ...older.filter(({ run_id: id }) => !known.has(id))];
	const more = next === undefined ? newest?.next : next;
	const [wanted, setWanted] = useState("");
	const found = rows.filter((run) =>
		isFound(wanted, [run.workflow, run.run_id, runWords({ ...run, ...run.tasks })]),
	);
	return (
		<div class="screen">
			<header class="screen-head">
				<h1>Runs</h1>
				<nav aria-label="Which runs" class="filters">
					{FILTERS.map(([name, words]) => (
						<a
							key={name}
							href={`#/runs?filter=${name}`}
							aria-current={name === filter ? "true" : undefined}
						>
							{words}
						</a>
					))}
				</nav>
			</header>
			<Refused refusal={page.refusal.value ?? refusal} />
			{newest === null && page.refusal.value === null && <p class="dim">Reading the runs …</p>}
			{newest !== null && rows.length === 0 && (
				<p class="dim">
					{filter === "all" ? (
						<>
							No runs yet. Start one with <code>spar run</code>.
						</>
					) : (
						"No run is of this kind."
					)}
				</p>
			)}
			{rows.length > 0 && (
				<Search
					label="Search these runs"
					text={wanted}
					change={setWanted}
					found={found.length}
					of={rows.length}
				/>
			)}
			{found.length > 0 && <Rows rows={found} />}
			{more !== null && more !== undefined && (
				<button type="button" onClick={() => read(more)}>
					Older runs
				</button>
			)}
		</div>
	);
}
