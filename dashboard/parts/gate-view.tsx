import type { JSX } from "preact";
import type { TaskDetail } from "../../src/web/protocol.ts";
import { plain } from "../../src/words/states.ts";
import { share } from "../format/numbers.ts";
import { Badge } from "./badge.tsx";
import { Words } from "./words.tsx";

type GateReport = NonNullable<TaskDetail["gate_report"]>;

/** What a metric says, in the form that the score's event and the gate's report share. */
export interface MetricShown {
	readonly type: string;
	readonly score: number | null;
	readonly weight: number;
	readonly reason: string;
	readonly evaluator_agent?: string | null | undefined;
	readonly rationale?: string | null;
}

export function MetricTable({
	metrics,
}: {
	readonly metrics: readonly MetricShown[];
}): JSX.Element | null {
	if (metrics.length === 0) return null;
	return (
		<div class="scroll" tabIndex={0}>
			<table class="grid" aria-label="Metrics of the score">
				<thead>
					<tr>
						<th scope="col">Metric</th>
						<th scope="col" class="number">
							Score
						</th>
						<th scope="col" class="number">
							Weight
						</th>
						<th scope="col">Why</th>
					</tr>
				</thead>
				<tbody>
					{metrics.map((metric) => (
						<tr key={metric.type}>
							<th scope="row">
								{plain(metric.type)}
								{metric.evaluator_agent && <span class="dim"> {metric.evaluator_agent}</span>}
							</th>
							<td class="number">{share(metric.score)}</td>
							<td class="number">{metric.weight}</td>
							<td class="wide">
								{metric.reason}
								<Words text={metric.rationale} />
							</td>
						</tr>
					))}
				</tbody>
			</table>
		</div>
	);
}

function Extras({ gate }: { readonly gate: GateReport }): JSX.Element {
	return (
		<>
			{gate.warnings.map((warning) => (
				<Words key={warning} from="warning" text={warning} />
			))}
			{gate.allowed.map(({ path, change, reason }) => (
				<Words key={path} from="allowed by the task" text={`${change} ${path}: ${reason}`} />
			))}
			{gate.suspicions.map(({ id, kind, file, line, ok, reason, by }) => (
				<Words
					key={id}
					from={`suspicion ${id}`}
					text={`${plain(kind)} in ${file}${line === null ? "" : `:${line}`}; ${ok === null ? "not answered" : `${ok ? "accepted" : "refused"} by the ${by ?? "coach"}`}${reason === null ? "" : `: ${reason}`}`}
				/>
			))}
		</>
	);
}

/** The report of a gate: its verdict with the rule that decided, and each area of evidence. */
export function GateView({ gate }: { readonly gate: GateReport }): JSX.Element {
	return (
		<div>
			<p>
				<strong>{gate.risk_tier}</strong> <Badge word={gate.verdict} /> {gate.rule}
			</p>
			<div class="scroll" tabIndex={0}>
				<table class="grid" aria-label="Evidence of the gate">
					<thead>
						<tr>
							<th scope="col">Evidence</th>
							<th scope="col">Result</th>
							<th scope="col">Details</th>
						</tr>
					</thead>
					<tbody>
						{Object.entries(gate.evidence_checks).map(([area, { status, details }]) => (
							<tr key={area}>
								<th scope="row">{plain(area)}</th>
								<td>
									<Badge word={status} />
								</td>
								<td class="wide words">{details}</td>
							</tr>
						))}
					</tbody>
				</table>
			</div>
			<MetricTable metrics={gate.metrics} />
			<Extras gate={gate} />
		</div>
	);
}
