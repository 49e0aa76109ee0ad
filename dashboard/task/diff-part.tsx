import type { JSX } from "preact";
import { useEffect, useMemo } from "preact/hooks";
import type { TaskDetail, TaskView } from "../../src/web/protocol.ts";
import { suspicionText } from "../../src/words/evidence-text.ts";
import { type DiffNote, noteBesides, noteOfFinding } from "../diff/diff-rows.ts";
import { DiffOf } from "../diff/diff-view.tsx";
import { lookAt, seen } from "../diff/seen.ts";
import { api } from "../net/api.ts";
import { type Spot, spotLink } from "../route.ts";

function pathOf({ run, task }: TaskDetail, newest: number, { turn, since }: Spot): string {
	const root = ["runs", run.run_id, "tasks", task.id];
	if (turn === null && since === null) return api(...root, "diff");
	const path = api(...root, "turns", String(turn ?? newest), "diff");
	return since === null ? path : `${path}?since=${since}`;
}

/** Words of coach, verifier and wall about the work, by file and line. */
function notesOf(task: TaskView, shown: number): readonly DiffNote[] {
	const { findings, report, gate } = task;
	const { verification_result: verification } = report;
	const failed = (verification?.tests ?? []).filter(({ status }) => status === "failed");
	return [
		...findings.map((finding) =>
			noteOfFinding(finding, finding.raised_turn === shown ? null : finding.raised_turn),
		),
		...failed.map(({ path: file, name }) =>
			noteBesides(name, "An independent test fails.", ["failed"], { file, line: null }),
		),
		...(gate?.suspicions ?? []).map((one) =>
			noteBesides(
				one.id,
				suspicionText(one),
				[one.ok === true ? "accepted" : "open", "suspicion"],
				one,
			),
		),
	];
}

interface RangeProps {
	readonly turns: readonly number[];
	/** The newest turn at the last look before this one; 0: there was none. */
	readonly looked: number;
	readonly at: Spot;
}

const keyOf = ({ turn, since }: Pick<Spot, "turn" | "since">): string => `${turn} ${since}`;

function Range({ turns, looked, at }: RangeProps): JSX.Element {
	const newest = turns.at(-1) ?? 0;
	const since = turns.filter((turn) => turn < newest);
	const look = { turn: null, since: looked };
	const choices = [
		[{ turn: null, since: null }, "the whole task"],
		...(looked > 0 ? [[look, `only since my last look (turn ${looked})`] as const] : []),
		...turns.map((turn) => [{ turn, since: null }, `turn ${turn} alone`] as const),
		...since
			.filter((turn) => turn !== looked)
			.map((turn) => [{ turn: null, since: turn }, `all since turn ${turn}`] as const),
	] as const;
	const isListed = choices.some(([choice]) => keyOf(choice) === keyOf(at));
	const { turn: last, since: first } = at;
	return (
		<label>
			Show{" "}
			<select
				value={keyOf(at)}
				onChange={({ currentTarget: { value } }) => {
					const [chosen] = choices.find(([choice]) => keyOf(choice) === value) ?? [{}];
					location.hash = spotLink(chosen);
				}}
			>
				{!isListed && <option value={keyOf(at)}>{`turn ${last} since turn ${first}`}</option>}
				{choices.map(([choice, words]) => (
					<option key={keyOf(choice)} value={keyOf(choice)}>
						{words}
					</option>
				))}
			</select>
		</label>
	);
}

export function DiffPart({
	at,
	...detail
}: TaskDetail & {
	readonly at: Spot;
}): JSX.Element {
	const { run, task } = detail;
	const turns = task.turns.filter(({ commit }) => commit !== null).map(({ turn }) => turn);
	const newest = turns.at(-1) ?? 0;
	const place = [run.run_id, task.id] as const;
	const look = useMemo(() => lookAt(seen.get("look", ...place), newest), [newest]);
	useEffect(() => {
		if (newest > 0) seen.put(`${look.newest} ${look.before}`, "look", ...place);
	}, [look]);
	const notes = useMemo(() => notesOf(task, at.turn ?? newest), [task, at.turn, newest]);
	if (newest === 0) return <p class="dim">No work of the player was taken yet.</p>;
	const path = pathOf(detail, newest, at);
	return (
		<div>
			<div class="toolbar">
				<Range turns={turns} looked={look.before} at={at} />
			</div>
			<DiffOf key={path} path={path} task={place} notes={notes} at={at} />
		</div>
	);
}
