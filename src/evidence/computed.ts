import type { Evidence } from "./evidence.ts";

/** Evidence that Sparring computed or put together, rather than the run of one command. */
export function computedEvidence(
	part: Pick<Evidence, "check" | "kind" | "status" | "reason" | "tree" | "details" | "startedAt"> &
		Partial<Evidence>,
): Evidence {
	return {
		purpose: "turn",
		definition: part.kind,
		exitCode: null,
		counts: null,
		cases: null,
		outputPath: null,
		outputTail: "",
		ms: 0,
		touched: [],
		started: true,
		...part,
	};
}
