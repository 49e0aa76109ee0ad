/** Commit on which a merge is built. */
export interface MergeGround {
	/** The commit of the entry before, which has not landed yet; null: nothing is before, so the tip of the branch. */
	readonly ahead: string | null;
	/** Aborted when that commit will not land as it is. What was built on it is worth nothing then. */
	readonly gone: AbortSignal;
}

/** The place of one task in the queue. */
export interface MergePlace {
	/** Waits until there is something to build on. Withdraws what this place proposed before. */
	ground(): Promise<MergeGround>;
	/** Those behind may build on this commit from now on. */
	propose(commit: string): void;
	/** Waits until nothing is before this place, or its ground is gone. */
	first(): Promise<void>;
	/** The proposed commit is the tip of the branch: what was built on it stays. */
	landed(commit: string): void;
	/** Gives the place up; without `landed`, what was built on its commit is gone. Idempotent. */
	leave(): void;
}

/** Lets one process at a time land, where several machines merge into the branch. Gives back what lets the next one in. */
export type LandingTurn = (signal: AbortSignal) => Promise<() => Promise<void>>;

const QUEUE_DEPTH = 4;

/**
 * The queue of merges into one integration branch. One entry at a time may land, in the order of approval; those
 * behind it are built and tested ahead on the commit of the one before. A commit that does not land sets back only the
 * entries behind it.
 *
 * Lives in memory: what an entry intends is stored by its task, and one that enters again after a kill goes on from there.
 */
export class MergeQueue {
	readonly #turn: LandingTurn | null;
	#entries: readonly QueueEntry[] = [];
	readonly #landed = new Map<string, string>();
	/** Tasks that the queue waits for, in this order. */
	#reserved: readonly string[] = [];
	/** Woken at each change. */
	#waiting: (() => void)[] = [];

	/** @param turn taken by what may land; null where this process alone merges */
	constructor(turn: LandingTurn | null = null) {
		this.#turn = turn;
	}

	/**
	 * Takes a place: the last one.
	 *
	 * @param options.alone the work was refused several times: it takes the place behind what is being tested by now, and
	 * is itself built on nothing but the tip. Its reservation ends when it has landed
	 * @param signal rejects whatever is waited for
	 */
	enter(
		options: { readonly task: string; readonly alone: boolean },
		signal: AbortSignal,
	): MergePlace {
		const entry = new QueueEntry(options);
		const at = options.alone ? this.#begun() : this.#entries.length;
		this.#entries = this.#entries.toSpliced(at, 0, entry);
		return {
			ground: async () => {
				entry.withdraw();
				entry.hasBegun = false;
				// Others of this process may be let pass, which need the turn.
				await entry.endTurn();
				if (this.#reserved.indexOf(entry.task) > 0) this.#moveToEnd(entry);
				this.#wake();
				entry.ground = await this.#until(() => this.#groundOf(entry), signal);
				entry.hasBegun = true;
				if (entry.ground.ahead === null) await this.#takeTurn(entry, signal);
				return entry.ground;
			},
			propose: (commit) => {
				entry.proposed = commit;
				this.#wake();
			},
			first: async () => {
				await this.#until(
					() => this.#entries[0] === entry || entry.ground.gone.aborted || null,
					signal,
				);
				if (this.#entries[0] === entry) await this.#takeTurn(entry, signal);
			},
			landed: (commit) => {
				entry.hasLanded = true;
				this.#landed.set(options.task, commit);
			},
			leave: () => {
				void entry.endTurn();
				this.#entries = this.#entries.filter((each) => each !== entry);
				if (entry.hasLanded) return this.release(entry.task);
				entry.withdraw();
				this.#wake();
			},
		};
	}

	/**
	 * Keeps the next place for a task whose work was refused several times: until it has merged, or rests, nothing else
	 * is built, so that nothing new can be in its way. What is being tested by now still lands, built again if it has to be.
	 * Idempotent.
	 *
	 * @returns false while the queue waits for another task that was there before
	 */
	reserve(task: string): boolean {
		if (!this.#reserved.includes(task)) this.#reserved = [...this.#reserved, task];
		return this.#reserved[0] === task;
	}

	/** Waits for a task no longer. */
	release(task: string): void {
		this.#reserved = this.#reserved.filter((each) => each !== task);
		this.#wake();
	}

	/** True where nothing merges or waits for it. */
	get isEmpty(): boolean {
		return this.#entries.length === 0;
	}

	/** Commit that a task landed through this queue: known here before the task has stored it. */
	landedBy(task: string): string | null {
		return this.#landed.get(task) ?? null;
	}

	async #takeTurn(entry: QueueEntry, signal: AbortSignal): Promise<void> {
		if (this.#turn === null || entry.turn !== null) return;
		entry.turn = await this.#turn(signal);
	}

	/** Lets those pass whose next place was kept before this one's. */
	#moveToEnd(entry: QueueEntry): void {
		this.#entries = [...this.#entries.filter((each) => each !== entry), entry];
	}

	// Entries from the first on that have been told what to build on.
	#begun(): number {
		const waiting = this.#entries.findIndex(({ hasBegun }) => !hasBegun);
		return waiting === -1 ? this.#entries.length : waiting;
	}

	// Null: it has to wait.
	#groundOf(entry: QueueEntry): MergeGround | null {
		const at = this.#entries.indexOf(entry);
		if (this.#waitsForReserved(at)) return null;
		if (at === 0) return { ahead: null, gone: NEVER };
		if (entry.alone || at >= QUEUE_DEPTH) return null;
		const { proposed, stands } = this.#entries[at - 1] ?? entry;
		return proposed === null ? null : { ahead: proposed, gone: stands.signal };
	}

	// Not where that task waits for the entry itself.
	#waitsForReserved(at: number): boolean {
		const [reserved] = this.#reserved;
		if (reserved === undefined) return false;
		const place = this.#entries.findIndex(({ task }) => task === reserved);
		return place === -1 || place < at;
	}

	#wake(): void {
		const woken = this.#waiting;
		this.#waiting = [];
		for (const wake of woken) wake();
	}

	/** Waits until there is a value. It is the one of that moment: what changes it afterwards has to tell. */
	async #until<T>(look: () => T | null, signal: AbortSignal): Promise<T> {
		for (;;) {
			const found = look();
			if (found !== null) return found;
			signal.throwIfAborted();
			await new Promise<void>((resolve, reject) => {
				const abort = (): void => reject(signal.reason);
				signal.addEventListener("abort", abort, { once: true });
				this.#waiting.push(() => {
					signal.removeEventListener("abort", abort);
					resolve();
				});
			});
		}
	}
}

const NEVER = new AbortController().signal;

class QueueEntry {
	readonly task: string;
	readonly alone: boolean;
	proposed: string | null = null;
	stands = new AbortController();
	hasBegun = false;
	hasLanded = false;
	ground: MergeGround = { ahead: null, gone: NEVER };
	turn: (() => Promise<void>) | null = null;

	constructor({ task, alone }: { readonly task: string; readonly alone: boolean }) {
		this.task = task;
		this.alone = alone;
	}

	// Never rejects: a turn that cannot be given back ends by itself.
	async endTurn(): Promise<void> {
		const end = this.turn;
		this.turn = null;
		await end?.().catch(() => undefined);
	}

	withdraw(): void {
		if (this.proposed === null) return;
		this.proposed = null;
		this.stands.abort(new Error("the commit before does not land"));
		this.stands = new AbortController();
	}
}
