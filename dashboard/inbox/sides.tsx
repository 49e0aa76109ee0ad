import type { JSX } from "preact";
import type { ItemDetail } from "../../src/web/protocol.ts";
import { Attempts } from "../parts/attempts.tsx";
import { Badge } from "../parts/badge.tsx";
import { Words } from "../parts/words.tsx";

type Context = ItemDetail["context"];
type Conflict = Extract<ItemDetail, { trigger: "conflict" }>["context"]["conflicts"][number];

function Player({ developer }: Pick<Context, "developer">): JSX.Element {
	const { agent, notes, concerns, left_work: left, files } = developer;
	return (
		<section class="side">
			<h3>
				Player <span class="dim">{agent}</span>
			</h3>
			<Words text={notes} />
			{notes === "" && <p class="dim">It said nothing.</p>}
			{concerns.map((concern) => (
				<Words key={concern} from="unsure" text={concern} />
			))}
			{left.map((line) => (
				<Words key={line} from="left outside of the files" text={line} />
			))}
			{files.length > 0 && (
				<p class="dim">
					{files.length === 1 ? "1 file" : `${files.length} files`}:{" "}
					<code>{files.slice(0, 12).join(", ")}</code>
					{files.length > 12 && " …"}
				</p>
			)}
		</section>
	);
}

function Coach({ reviewer }: Pick<Context, "reviewer">): JSX.Element {
	const { agent, decision, effective, rationale, attempts } = reviewer;
	return (
		<section class="side">
			<h3>
				Coach <span class="dim">{agent ?? "none"}</span>{" "}
				{effective !== null && <Badge word={effective} />}
			</h3>
			{decision !== null && decision !== effective && (
				<p class="dim">
					It said {decision}
					{effective !== null && `; with the evidence, that counts as ${effective}`}.
				</p>
			)}
			<Words text={rationale} />
			{rationale === "" && <p class="dim">It said nothing.</p>}
			{attempts?.length === 0 && <p class="attention">It names nothing that it tried.</p>}
			{attempts !== null && <Attempts attempts={attempts} />}
		</section>
	);
}

/** Both sides in their own words, beside each other. */
export function Sides({ context }: { readonly context: Context }): JSX.Element {
	return (
		<div class="sides">
			<Player developer={context.developer} />
			<Coach reviewer={context.reviewer} />
		</div>
	);
}

/** A conflict about one finding: what either side argues, and what the tie-breaker said. */
export function ConflictView({ conflict }: { readonly conflict: Conflict }): JSX.Element {
	const { finding, attempt, developer, reviewer, tie_breaker: breaker } = conflict;
	return (
		<section class="card">
			<h3>
				{finding} <span class="dim">conflict, attempt {attempt}</span>
			</h3>
			<Words text={conflict.escalation_reason} />
			<div class="sides">
				<section class="side">
					<h4>The player disputes it</h4>
					<Words text={developer.reason} />
					<Words from="evidence" text={developer.evidence} />
				</section>
				<section class="side">
					<h4>The coach upholds it</h4>
					<Words text={reviewer.issue} />
					<Words text={reviewer.rationale} />
				</section>
			</div>
			{breaker !== null && (
				<p class="words">
					<span class="dim">The tie-breaker said </span>
					<Badge word={breaker.decision} /> {breaker.rationale}
				</p>
			)}
		</section>
	);
}

/** The turns of a pair so far, each with what either side came to. */
export function PairHistory({
	pair,
}: {
	readonly pair: ItemDetail["context"]["pair"];
}): JSX.Element | null {
	if (pair === null || pair.history.length === 0) return null;
	return (
		<details class="part">
			<summary>
				<h2>The turns so far ({pair.history.length})</h2>
			</summary>
			<ol class="cards">
				{pair.history.map((entry) => (
					<li key={entry.iteration} class="card">
						<p>
							<strong>Turn {entry.turn}</strong>{" "}
							<Badge word={entry.challenger_approved ? "approve" : "feedback"} />{" "}
							<span class="dim">player {entry.driver_agent}</span>
						</p>
						<Words from="player" text={entry.driver_output_summary} />
						<Words from="coach" text={entry.challenger_critique} />
						{entry.findings.map(({ id, severity, state, issue }) => (
							<Words key={id} from={`${id} ${severity} ${state}`} text={issue} />
						))}
					</li>
				))}
			</ol>
		</details>
	);
}
