import type { EventData } from "../trace/event.ts";
import { CONFLICT_ESCALATION } from "./conflict-resolution-engine.ts";

type Escalation = EventData[typeof CONFLICT_ESCALATION];

/** Where escalations are heard; a Node `EventEmitter` fits. */
export interface EscalationSource {
	on(type: typeof CONFLICT_ESCALATION, listener: (data: Escalation) => void): unknown;
	off(type: typeof CONFLICT_ESCALATION, listener: (data: Escalation) => void): unknown;
}

/**
 * Which conflicts want their task to pause for a person: each once, however often its escalation is told, and none that
 * has paused it before.
 */
export class EscalationPause implements Disposable {
	readonly #source: EscalationSource;
	readonly #paused: ReadonlySet<string>;
	readonly #wanted = new Set<string>();

	/** @param paused ids of conflicts for which the pause is stored */
	constructor(source: EscalationSource, paused: Iterable<string> = []) {
		this.#source = source;
		this.#paused = new Set(paused);
		source.on(CONFLICT_ESCALATION, this.#hear);
	}

	readonly #hear = ({ conflictId }: Escalation): void => {
		if (!this.#paused.has(conflictId)) this.#wanted.add(conflictId);
	};

	/** Ids of the conflicts for which a pause is wanted and was not stored before, in the order they escalated. */
	wanted(): readonly string[] {
		return [...this.#wanted];
	}

	/** Hears nothing more; idempotent. */
	[Symbol.dispose](): void {
		this.#source.off(CONFLICT_ESCALATION, this.#hear);
	}
}
