import type { Write } from "../store/records.ts";
import type { TraceEvent } from "../trace/event.ts";

export function runEvent(run: string, event: TraceEvent): Write {
	return { kind: "event", run, event };
}
