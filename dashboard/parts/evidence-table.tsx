import type { ComponentChildren, JSX } from "preact";
import { renderCounts } from "../../src/words/evidence-text.ts";
import { span } from "../format/numbers.ts";
import { Badge } from "./badge.tsx";

/** A piece of evidence as far as a table shows it. */
export interface EvidenceShown {
	readonly check: string;
	readonly item?: string | null | undefined;
	readonly kind: string;
	readonly status: string;
	readonly reason: string | null;
	readonly counts: unknown;
	readonly details: readonly string[];
	readonly said?: readonly string[] | undefined;
	readonly ms?: number;
	readonly purpose?: string;
	/** Where its output is on disk. */
	readonly output_path?: string | null;
}

interface EvidenceTableProps<Evidence> {
	readonly label: string;
	readonly evidence: readonly Evidence[];
	/** What a row offers beside what it shows, such as its output. */
	readonly more?: (evidence: Evidence) => ComponentChildren;
}

function Row({
	evidence,
	children,
}: {
	readonly evidence: EvidenceShown;
	readonly children: ComponentChildren;
}): JSX.Element {
	const {
		check,
		item,
		kind,
		purpose = "turn",
		status,
		reason,
		counts,
		details,
		said = [],
	} = evidence;
	const output = evidence.output_path;
	const lines = [...details, ...said];
	return (
		<tr>
			<th scope="row">
				{item ?? check}
				{kind !== check && <span class="dim"> {kind}</span>}
				{purpose !== "turn" && <span class="dim"> {purpose}</span>}
			</th>
			<td>
				<Badge word={status} />
			</td>
			<td class="wide">
				{[renderCounts(counts), reason ?? ""].filter((text) => text !== "").join("; ")}
				{output !== null && output !== undefined && <code class="dim block">{output}</code>}
				{lines.length > 0 && (
					<details>
						<summary>
							{lines.length} {lines.length === 1 ? "line" : "lines"}
						</summary>
						<pre class="said">{lines.join("\n")}</pre>
					</details>
				)}
			</td>
			{evidence.ms !== undefined && <td class="number">{span(evidence.ms)}</td>}
			{children}
		</tr>
	);
}

/** What Sparring itself ran, and what came of it. */
export function EvidenceTable<Evidence extends EvidenceShown>({
	label,
	evidence,
	more,
}: EvidenceTableProps<Evidence>): JSX.Element {
	const hasTimes = evidence.some(({ ms }) => ms !== undefined);
	if (evidence.length === 0) return <p class="dim">No check has run yet.</p>;
	return (
		<div class="scroll" tabIndex={0}>
			<table class="grid" aria-label={label}>
				<thead>
					<tr>
						<th scope="col">Check</th>
						<th scope="col">Result</th>
						<th scope="col">What it says</th>
						{hasTimes && (
							<th scope="col" class="number">
								Time
							</th>
						)}
						{more !== undefined && <th scope="col">Output</th>}
					</tr>
				</thead>
				<tbody>
					{evidence.map((one, index) => (
						<Row key={index} evidence={one}>
							{more !== undefined && <td>{more(one)}</td>}
						</Row>
					))}
				</tbody>
			</table>
		</div>
	);
}
