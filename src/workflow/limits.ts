/** Most turns that a task can be given. */
export const MOST_TURNS = 1_000_000;

/** The most tasks of a run that may be in work at once. */
export const MOST_PARALLEL = 256;

/** Time that the mutants of a turn may take where the file does not say, in milliseconds: 3 minutes. */
export const MUTATION_TIMEOUT_MS = 180_000;

/** Subject of a task's commit where the file does not say. */
export const PLAIN_MESSAGE = "{title}";

/** Placeholders that can stand in it, as `{title}`. */
export const MESSAGE_NAMES = ["title", "task", "feature_id"] as const;

/** Name for work that any machine can do; no agent's tag can be it. */
export const UNTAGGED = "any";

/** Names that can stand, as `${NAME}`, in the arguments of a command that tells of a question. */
export const ITEM_VALUE_NAMES = ["TASK_ID", "ITEM_ID", "TRIGGER", "REASON", "RUN_ID"] as const;

/** Likewise of the end of a run. */
export const END_VALUE_NAMES = ["RUN_ID", "STATUS", "WORKFLOW"] as const;
