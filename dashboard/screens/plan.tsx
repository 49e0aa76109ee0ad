import type { JSX } from "preact";
import { useEffect, useState } from "preact/hooks";
import { counted } from "../../src/kernel/counted.ts";
import type { Plan, PlanEdit, PlanRefusal, VerificationFlag } from "../../src/web/protocol.ts";
import { layoutTasks } from "../graph/task-layout.ts";
import { api, get, post, type Refusal } from "../net/api.ts";
import { Badge } from "../parts/badge.tsx";
import { Refused } from "../parts/refused.tsx";
import { useTitle } from "../parts/title.ts";
import { Words } from "../parts/words.tsx";

type PlannedTask = Plan["tasks"][number];

const BY: Readonly<Record<PlannedTask["by"], string>> = {
	planner: "the planner",
	heuristic: "Sparring, by the paths it names",
	person: "a person",
	file: "the file",
};

const FLAGS: readonly (readonly [VerificationFlag, string])[] = [
	[true, "Write tests"],
	[false, "No tests"],
	["auto", "Let Sparring decide"],
];

interface TaskRowProps {
	readonly task: PlannedTask;
	/** Tasks of one number can be worked on at once. */
	readonly order: number;
	readonly isSelected: boolean;
	readonly isBusy: boolean;
	readonly select: (isSelected: boolean) => void;
	readonly set: (verify: VerificationFlag) => void;
}

function Row({ task, order, isSelected, isBusy, select, set }: TaskRowProps): JSX.Element {
	const { id, title, formal_review: isReview, effective, by, reason, verifier, allow } = task;
	return (
		<tr>
			<td>
				<input
					type="checkbox"
					aria-label={`Select ${id}`}
					checked={isSelected}
					disabled={isReview}
					onChange={({ currentTarget }) => select(currentTarget.checked)}
				/>
			</td>
			<td class="number">{order}</td>
			<th scope="row" class="wide">
				{id}
				<span class="dim block">{title}</span>
				{task.depends_on.length > 0 && (
					<span class="dim block">after {task.depends_on.join(", ")}</span>
				)}
			</th>
			<td>
				{task.player}
				<span class="dim block">coach {task.coach ?? "none"}</span>
				<span class="dim block">at most {counted(task.bound, "turn")}</span>
			</td>
			<td>
				{isReview ? (
					<span class="dim">formal review</span>
				) : (
					<label class="switch">
						<input
							type="checkbox"
							role="switch"
							aria-label={`Independent tests for ${id}`}
							checked={effective}
							aria-checked={effective}
							disabled={isBusy}
							onChange={() => set(!effective)}
						/>
						<span>{effective ? "tests are written" : "no tests"}</span>
					</label>
				)}
			</td>
			<td>
				<Badge word={String(task.requires_verification)} tone="quiet" />
				{!isReview && task.requires_verification !== "auto" && (
					<button
						type="button"
						disabled={isBusy}
						aria-label={`auto: let Sparring decide for ${id}`}
						onClick={() => set("auto")}
					>
						auto
					</button>
				)}
				<span class="dim block">{BY[by]}</span>
			</td>
			<td class="wide">
				<Words text={reason} />
				{verifier !== null && <span class="dim block">verifier {verifier}</span>}
				{allow.map((allowed) => (
					<Words
						key={`${allowed.path} ${allowed.change}`}
						from={`may ${allowed.change} ${allowed.path}`}
						text={allowed.reason}
					/>
				))}
			</td>
		</tr>
	);
}

interface PlanTableProps {
	readonly plan: Plan;
	readonly isBusy: boolean;
	readonly edit: (what: Pick<PlanEdit, "all" | "tasks">) => void;
}

function PlanTable({ plan, isBusy, edit }: PlanTableProps): JSX.Element {
	const [selected, setSelected] = useState<ReadonlySet<string>>(new Set());
	const toggle = (id: string, isSelected: boolean): void => {
		const next = new Set(selected);
		if (isSelected) next.add(id);
		else next.delete(id);
		setSelected(next);
	};
	const setMany = (verify: VerificationFlag): void =>
		edit({ tasks: Object.fromEntries([...selected].map((id) => [id, verify])) });
	const { placed } = layoutTasks(plan.tasks);
	return (
		<>
			<fieldset class="toolbar">
				<legend class="hidden">Several tasks</legend>
				<span class="dim">{selected.size === 0 ? "All tasks:" : `${selected.size} selected:`}</span>
				{FLAGS.map(([verify, words]) => (
					<button
						key={words}
						type="button"
						disabled={isBusy}
						onClick={() => (selected.size === 0 ? edit({ all: verify }) : setMany(verify))}
					>
						{words}
					</button>
				))}
			</fieldset>
			<div class="scroll" tabIndex={0}>
				<table class="grid plan" aria-label="Tasks of the workflow file">
					<thead>
						<tr>
							<th scope="col">
								<span class="hidden">Selected</span>
							</th>
							<th scope="col">Order</th>
							<th scope="col">Task</th>
							<th scope="col">Player</th>
							<th scope="col">Independent tests</th>
							<th scope="col">Flag</th>
							<th scope="col">Why</th>
						</tr>
					</thead>
					<tbody>
						{plan.tasks.map((task) => (
							<Row
								key={task.id}
								task={task}
								order={(placed.get(task.id)?.column ?? 0) + 1}
								isSelected={selected.has(task.id)}
								isBusy={isBusy}
								select={(isSelected) => toggle(task.id, isSelected)}
								set={(verify) => edit({ tasks: { [task.id]: verify } })}
							/>
						))}
					</tbody>
				</table>
			</div>
		</>
	);
}

export function PlanScreen(): JSX.Element {
	useTitle("Plan");
	const [plan, setPlan] = useState<Plan | null>(null);
	const [refusal, setRefusal] = useState<Refusal | null>(null);
	const [isBusy, setBusy] = useState(false);
	const [said, setSaid] = useState("");
	const read = async (): Promise<void> => {
		const reply = await get<Plan>(api("plan"));
		setRefusal(reply.ok ? null : reply.refusal);
		if (reply.ok) setPlan(reply.value);
	};
	useEffect(() => {
		void read();
	}, []);
	const edit = async (what: Pick<PlanEdit, "all" | "tasks">): Promise<void> => {
		if (plan === null) return;
		setBusy(true);
		setSaid("");
		const { file, digest } = plan;
		const reply = await post<Plan>(api("plan"), { file, digest, ...what });
		setBusy(false);
		if (reply.ok) {
			setPlan(reply.value);
			setRefusal(null);
			setSaid("Saved in the file.");
			return;
		}
		setRefusal(reply.refusal);
		// A refusal for another text of the file brings the tasks that it has now, as the protocol says.
		const now = reply.refusal.status === 409 ? (reply.refusal.body as PlanRefusal).plan : null;
		if (now !== null) setPlan(now);
	};
	return (
		<div class="screen">
			<header class="screen-head">
				<h1>Plan</h1>
				<p class="dim">
					Which tasks get tests of an independent verifier. A change is written into{" "}
					{plan === null ? "the workflow file" : <code>{plan.file}</code>}, its comments stay; runs
					under way keep the file as it was.
				</p>
				{plan !== null && (
					<p>Every turn runs {plan.checks.length === 0 ? "no checks" : plan.checks.join(", ")}.</p>
				)}
			</header>
			<Refused refusal={refusal} />
			<p role="status" class="dim">
				{said}
			</p>
			{plan?.warnings.map((warning) => (
				<Words key={warning} from="warning" text={warning} />
			))}
			{plan !== null && (
				<PlanTable
					plan={plan}
					isBusy={isBusy}
					edit={(what) => {
						void edit(what);
					}}
				/>
			)}
			<button type="button" onClick={() => void read()}>
				Read the file again
			</button>
		</div>
	);
}
