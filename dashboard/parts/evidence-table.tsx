import type { ComponentChildren, JSX } from "preact";
import { formatDuration } from "../../src/kernel/duration.ts";
import { renderCounts } from "../../src/words/evidence-text.ts";
import { Badge } from "./badge.tsx";
import { Grid } from "./grid.tsx";

export interface EvidenceShown {
	readonly check: string;
	/** Of an item of a checklist its text. */
	readonly label?: string | null | undefined;
	readonly kind: string;
	readonly status: string;
	readonly reason: string | null;
	readonly counts: unknown;
	readonly details: readonly string[];
	readonly said?: readonly string[] | undefined;
	readonly ms?: number;
	readonly purpose?: string;
	readonly output_path?: string | null;
}

interface EvidenceTableProps<Evidence> {
	readonly label: string;
	readonly evidence: readonly Evidence[];
	readonly more?: (evidence: Evidence) => ComponentChildren;
}

function Said({
	reason,
	counts,
	details,
	said = [],
	output_path: output,
}: EvidenceShown): JSX.Element {
	const lines = [...details, ...said];
	return (
		<>
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
		</>
	);
}

export function EvidenceTable<Evidence extends EvidenceShown>({
	label,
	evidence,
	more,
}: EvidenceTableProps<Evidence>): JSX.Element {
	const hasTimes = evidence.some(({ ms }) => ms !== undefined);
	if (evidence.length === 0) return <p class="dim">No check has run yet.</p>;
	return (
		<Grid<Evidence>
			label={label}
			rows={evidence}
			columns={[
				[
					"Check",
					({ check, label: item, kind, purpose = "turn" }) => (
						<>
							{item ?? check}
							{kind !== check && <span class="dim"> {kind}</span>}
							{purpose !== "turn" && <span class="dim"> {purpose}</span>}
						</>
					),
				],
				["Result", ({ status }) => <Badge word={status} />],
				["What it says", (one) => <Said {...one} />, "wide"],
				...(hasTimes
					? [
							[
								"Time",
								({ ms }: Evidence) => ms !== undefined && formatDuration(ms),
								"number",
							] as const,
						]
					: []),
				...(more === undefined ? [] : [["Output", more] as const]),
			]}
		/>
	);
}
