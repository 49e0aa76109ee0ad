/** Names that can stand in a notification about the end of a run, likewise. */
export const END_VALUE_NAMES = ["RUN_ID", "STATUS", "WORKFLOW"] as const;

/** Names that can stand, as `${NAME}`, in the arguments of a notification's command. */
export const ITEM_VALUE_NAMES = ["TASK_ID", "ITEM_ID", "TRIGGER", "REASON", "RUN_ID"] as const;
