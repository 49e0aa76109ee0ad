/** Names that can stand, as `${NAME}`, in the arguments of a notification's command. */
export const ITEM_VALUE_NAMES = ["TASK_ID", "ITEM_ID", "TRIGGER", "REASON", "RUN_ID"] as const;
