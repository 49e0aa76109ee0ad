import type { JSX } from "preact";
import type { TurnView } from "../../src/web/protocol.ts";
import { suspicionText } from "../../src/words/evidence-text.ts";
import { plain } from "../../src/words/states.ts";
import { share } from "../format/numbers.ts";
import { Badge } from "./badge.tsx";
import { Grid } from "./grid.tsx";
import { Words } from "./words.tsx";

type GateReport = NonNullable<TurnView["gate"]>;

type MetricShown =
	| GateReport["metrics"][number]
	| NonNullable<TurnView["score"]>["metrics"][number];

export function MetricTable({
	metrics,
}: {
	readonly metrics: readonly MetricShown[];
}): JSX.Element | null {
	if (metrics.length === 0) return null;
	return (
		<Grid
			label="Metrics of the score"
			rows={metrics}
			columns={[
				[
					"Metric",
					({ type, evaluator_agent: agent }) => (
						<>
							{plain(type)}
							{agent && <span class="dim"> {agent}</span>}
						</>
					),
				],
				["Score", ({ score }) => share(score), "number"],
				["Weight", ({ weight }) => weight, "number"],
				[
					"Why",
					({ reason, rationale }) => (
						<>
							{reason}
							<Words text={rationale} />
						</>
					),
					"wide",
				],
			]}
		/>
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
			{gate.suspicions.map((one) => (
				<Words key={one.id} from="suspicion" text={suspicionText(one)} />
			))}
		</>
	);
}

export function GateView({ gate }: { readonly gate: GateReport }): JSX.Element {
	return (
		<div>
			<p>
				<strong>{gate.risk_tier}</strong> <Badge word={gate.verdict} /> {gate.rule}
			</p>
			<Grid
				label="Evidence of the gate"
				rows={Object.entries(gate.evidence_checks)}
				columns={[
					["Evidence", ([area]) => plain(area)],
					["Result", ([, { status }]) => <Badge word={status} />],
					["Details", ([, { details }]) => details, "wide words"],
				]}
			/>
			<MetricTable metrics={gate.metrics} />
			<Extras gate={gate} />
		</div>
	);
}
