import type { JSX } from "preact";
import { useState } from "preact/hooks";
import type { TaskDetail } from "../../src/web/protocol.ts";
import { DiffOf } from "../diff/diff-view.tsx";
import { api } from "../net/api.ts";

type Scope = "task" | "turn" | "since";

const SCOPES: readonly (readonly [Scope, string])[] = [
	["task", "the whole task"],
	["turn", "one turn"],
	["since", "all since a turn"],
];

function pathOf(task: TaskDetail, scope: Scope, turn: number, newest: number): string {
	const root = ["runs", task.run_id, "tasks", task.id];
	switch (scope) {
		case "task":
			return api(...root, "diff");
		case "turn":
			return api(...root, "turns", String(turn), "diff");
		case "since":
			return `${api(...root, "turns", String(newest), "diff")}?since=${turn}`;
	}
}

export function DiffPart({ task }: { readonly task: TaskDetail }): JSX.Element {
	const turns = task.turn_views.filter(({ commit }) => commit !== null).map(({ turn }) => turn);
	const newest = turns.at(-1) ?? 0;
	const [scope, setScope] = useState<Scope>("task");
	const [chosen, setChosen] = useState<number | null>(null);
	if (newest === 0) return <p class="dim">No work of the player was taken yet.</p>;
	// All since the newest turn would be nothing.
	const choices = scope === "since" ? turns.filter((one) => one < newest) : turns;
	const turn = choices.includes(chosen ?? 0) ? (chosen ?? 0) : (choices.at(-1) ?? newest);
	const path = pathOf(task, scope, turn, newest);
	return (
		<div>
			<div class="toolbar">
				<label>
					Show{" "}
					<select
						value={scope}
						onChange={({ currentTarget: { value } }) =>
							setScope(SCOPES.find(([name]) => name === value)?.[0] ?? "task")
						}
					>
						{SCOPES.filter(([name]) => name !== "since" || newest > 1).map(([name, words]) => (
							<option key={name} value={name}>
								{words}
							</option>
						))}
					</select>
				</label>
				{scope !== "task" && (
					<label>
						Turn{" "}
						<select
							value={String(turn)}
							onChange={({ currentTarget }) => setChosen(Number(currentTarget.value))}
						>
							{choices.map((one) => (
								<option key={one} value={String(one)}>
									{one}
								</option>
							))}
						</select>
					</label>
				)}
			</div>
			<DiffOf path={path} key={path} />
		</div>
	);
}
