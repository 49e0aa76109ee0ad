import type { Write } from "../../store/records.ts";
import type { TraceEvent } from "../../trace/event.ts";

/** An event of the run itself as a write. */
export function runEvent(run: string, event: TraceEvent): Write {
	return { kind: "event", run, event };
}
