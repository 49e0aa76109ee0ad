import type { TraceFile } from "../../drive/trace-file.ts";

export type RunEvent = TraceFile["events"][number];
