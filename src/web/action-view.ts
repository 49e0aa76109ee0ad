import type { AsOf } from "./as-of.ts";

export type Action = "cancel" | "resume" | "land" | "prune";

export interface ActionPreview {
	readonly action: Action;
	/** null when it can be done; else why not, and the way out. */
	readonly refused: string | null;
	readonly effects: readonly string[];
	readonly command: string;
}

export interface ActionList extends AsOf {
	readonly actions: readonly ActionPreview[];
	readonly last_action: ActionState | null;
}

export interface ActionBody {
	readonly max_turns?: number | undefined;
}

export interface ActionState {
	readonly run_id: string;
	readonly action: Action;
	readonly started_at: string;
	/** null while it goes on. */
	readonly ended_at: string | null;
	readonly exit_code: number | null;
	/** The last lines that it printed. */
	readonly said: readonly string[];
}

export interface ActionStarted {
	readonly started: ActionState;
}
