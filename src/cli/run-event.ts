import type { TraceFile } from "../app/sparring.ts";

export type RunEvent = TraceFile["events"][number];
