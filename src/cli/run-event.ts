import type { TraceFile } from "../app/trace-file.ts";

export type RunEvent = TraceFile["events"][number];
