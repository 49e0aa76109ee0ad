const OF_RUN = "id of the run (default: the newest)";

export const RUN = { kind: "text", spelt: "[run]", about: OF_RUN } as const;

/** Of a task the run, since the task is the argument. */
export const RUN_OPTION = { kind: "text", spelt: "--run <run>", about: OF_RUN } as const;

export const TASK = {
	kind: "text",
	spelt: "[task]",
	about: "id of the task (default: the only one)",
	isNeeded: true,
} as const;
