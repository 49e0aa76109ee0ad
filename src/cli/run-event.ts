import type { TraceFile } from "../app/sparring.ts";

/** An event of a run as the command line sees it. */
export type RunEvent = TraceFile["events"][number];
