import type { JSX } from "preact";
import { useState } from "preact/hooks";
import { formatDuration } from "../../src/kernel/duration.ts";
import type {
	CasesReply,
	TurnView as Turn,
	VerificationView as Verification,
} from "../../src/web/protocol.ts";
import { coachNotes, playerNotes } from "../../src/words/item-outline.ts";
import { plain } from "../../src/words/states.ts";
import { money, share } from "../format/numbers.ts";
import { api, get, type Refusal } from "../net/api.ts";
import { Badge } from "../parts/badge.tsx";
import { Dialog } from "../parts/dialog.tsx";
import { EvidenceTable } from "../parts/evidence-table.tsx";
import { GateView, MetricTable } from "../parts/gate-view.tsx";
import { Grid } from "../parts/grid.tsx";
import { Notes } from "../parts/notes.tsx";
import { Part } from "../parts/part.tsx";
import { Refused } from "../parts/refused.tsx";
import { Words } from "../parts/words.tsx";
import { VirtualRows } from "../rows/virtual-rows.tsx";
import { OutputOf } from "./log-view.tsx";
import { retryText, type TaskStory } from "./task-story.ts";

function VerificationView({
	verification,
	run,
	task,
}: {
	readonly verification: Verification;
	readonly run: string;
	readonly task: string;
}): JSX.Element {
	const { verdict, required, reasons, tests, log, attempts } = verification;
	return (
		<div>
			<p>
				<Badge word={verdict} />{" "}
				<span class="dim">
					{required ? "required" : "not required"}
					{attempts === 1 && ", failed once"}
					{attempts > 1 && `, failed ${attempts} times in a row`}
				</span>{" "}
				{verification.run !== null && <code>{verification.run}</code>}
				{log !== null && <OutputOf place={{ run, task, path: log }} />}
			</p>
			{reasons.map((reason) => (
				<Words key={reason} text={reason} />
			))}
			{tests.length > 0 && (
				<Grid
					label="Independent tests"
					rows={tests}
					columns={[
						["Test", ({ name }) => name],
						["File", ({ path }) => <code>{path}</code>],
						["Result", ({ status }) => <Badge word={status} />],
					]}
				/>
			)}
		</div>
	);
}

export interface Place {
	readonly run: string;
	readonly task: string;
}

interface TurnViewProps {
	readonly turn: Turn;
	readonly place: Place;
	readonly story: TaskStory;
}

function Retries({ turn, story }: Omit<TurnViewProps, "place">): JSX.Element | null {
	const retries = story.retries(turn.turn);
	if (retries.length === 0) return null;
	return (
		<ul class="plain notice attention">
			{retries.map((retry) => (
				<li key={retry.role} class="words">
					{retryText(retry)}
					{retry.isOpen && <strong> (under way)</strong>}
				</li>
			))}
		</ul>
	);
}

function Verdict({ turn }: { readonly turn: Turn }): JSX.Element | null {
	const { raw, effective, reasons, rationale, attempts } = turn;
	if (effective === null && rationale === "") return null;
	return (
		<Part heading="h3" title="Coach">
			{effective !== null && <Badge word={effective} />}
			<Notes
				notes={[
					...reasons.map((text) => ({ text })),
					...coachNotes({ decision: raw, effective, rationale, attempts: attempts ?? null }),
				]}
			/>
		</Part>
	);
}

function Criteria({ turn }: { readonly turn: Turn }): JSX.Element | null {
	if (turn.criteria.length === 0) return null;
	return (
		<Part heading="h3" title="Criteria">
			<ul class="plain">
				{turn.criteria.map(({ criterion, met, evidence, tests }) => (
					<li key={criterion}>
						<Badge word={met ? "pass" : "fail"} text={met ? "met" : "unmet"} /> {criterion}
						<Words text={evidence} />
						{tests.length > 0 && <p class="dim">tests: {tests.join(", ")}</p>}
					</li>
				))}
			</ul>
		</Part>
	);
}

function Calls({ turn, place }: Omit<TurnViewProps, "story">): JSX.Element | null {
	if (turn.calls.length === 0) return null;
	return (
		<Part heading="h3" title="Calls">
			<Grid
				label="Calls of agents"
				rows={turn.calls}
				columns={[
					[
						"Seat",
						({ role, agent, call }) => (
							<>
								{plain(role)} <span class="dim">{agent}</span>
								{call > 1 && <span class="dim">, call {call}</span>}
							</>
						),
					],
					[
						"Outcome",
						({ outcome, message }) => (
							<>
								<Badge word={outcome} tone={outcome === "answered" ? "good" : "bad"} />
								<Words text={message} />
							</>
						),
						"wide",
					],
					["Time", ({ ms }) => formatDuration(ms), "number"],
					["Cost", ({ cost_usd: cost }) => money(cost), "number"],
					["Output", ({ log }) => log !== null && <OutputOf place={{ ...place, path: log }} />],
				]}
			/>
		</Part>
	);
}

function Measured({ turn, place }: Omit<TurnViewProps, "story">): JSX.Element {
	const { verification, score, gate } = turn;
	return (
		<>
			<Part heading="h3" title="Evidence">
				<EvidenceTable
					label={`Evidence of turn ${turn.turn}`}
					evidence={turn.checks}
					more={({ log, has_cases: hasCases, check, purpose }) => (
						<>
							{log !== null && <OutputOf place={{ ...place, path: log }} />}
							{hasCases && (
								<CasesOf place={place} turn={turn.turn} check={check} purpose={purpose} />
							)}
						</>
					)}
				/>
			</Part>
			{verification !== null && (
				<Part heading="h3" title="Independent tests">
					<VerificationView verification={verification} {...place} />
				</Part>
			)}
			{score !== null && (
				<Part heading="h3" title={`Score ${share(score.score)} of ${share(score.threshold)}`}>
					<MetricTable metrics={score.metrics} />
					{score.warnings.map((warning) => (
						<Words key={warning} from="warning" text={warning} />
					))}
				</Part>
			)}
			{gate !== null && (
				<Part heading="h3" title="Gate">
					<GateView gate={gate} />
				</Part>
			)}
		</>
	);
}

export function TurnView({ turn, place, story }: TurnViewProps): JSX.Element {
	const said = playerNotes({ ...turn, left_work: [], files: [] });
	return (
		<div class="turn">
			<Retries turn={turn} story={story} />
			{said.length > 0 && (
				<Part heading="h3" title="Player">
					<Notes notes={said} />
				</Part>
			)}
			<Verdict turn={turn} />
			<Criteria turn={turn} />
			<Measured turn={turn} place={place} />
			<Calls turn={turn} place={place} />
		</div>
	);
}

type Case = CasesReply["cases"][number];

interface CasesOfProps {
	readonly place: Place;
	readonly turn: number;
	readonly check: string;
	readonly purpose: string;
}

/** Address of the test cases of a check. */
export function casesPath(
	{ run, task }: Place,
	turn: number,
	{ check, purpose }: Pick<CasesOfProps, "check" | "purpose">,
): string {
	const path = api("runs", run, "tasks", task, "turns", String(turn), "cases");
	return `${path}?${new URLSearchParams({ check, purpose })}`;
}

const inOrder = (cases: readonly Case[]): readonly Case[] =>
	cases.toSorted(
		(one, other) => Number(other.status === "failed") - Number(one.status === "failed"),
	);

function CaseList({ cases }: { readonly cases: readonly Case[] }): JSX.Element {
	const [chosen, setChosen] = useState<Case | null>(null);
	return (
		<>
			<VirtualRows
				label="Test cases"
				kind="list"
				of={cases}
				rowHeight={28}
				row={(one) => (
					<button
						type="button"
						key={one.id}
						class="case-row"
						aria-pressed={one === chosen}
						onClick={() => setChosen(one)}
					>
						<Badge word={one.status} />
						<span class="cut">{one.id}</span>
					</button>
				)}
			/>
			{chosen !== null && <Words text={chosen.message ?? "It said nothing."} from={chosen.id} />}
		</>
	);
}

function CasesOf({ place, turn, check, purpose }: CasesOfProps): JSX.Element {
	const [cases, setCases] = useState<readonly Case[] | null>(null);
	const [refusal, setRefusal] = useState<Refusal | null>(null);
	const [isOpen, setOpen] = useState(false);
	const open = (): void => {
		setOpen(true);
		void get<CasesReply>(casesPath(place, turn, { check, purpose })).then((reply) => {
			if (reply.ok) setCases(inOrder(reply.value.cases));
			else setRefusal(reply.refusal);
		});
	};
	return (
		<>
			<button type="button" class="small" onClick={open}>
				cases
			</button>
			{isOpen && (
				<Dialog title={`${check}, turn ${turn}`} close={() => setOpen(false)} isWide={true}>
					<Refused refusal={refusal} />
					{cases !== null && <CaseList cases={cases} />}
				</Dialog>
			)}
		</>
	);
}
