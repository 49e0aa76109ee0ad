/**
 * Which commits the tip of a branch is known to hold, so that git is asked only of what is new. What a commit holds never
 * changes; where the branch stands is read each time.
 */
export class MergedLine {
	#tip: string | null = null;
	#held: ReadonlySet<string> = new Set();

	/** Of some commits those that this tip is not known to hold. */
	notKnownIn(tip: string, commits: readonly string[]): readonly string[] {
		return tip === this.#tip ? commits.filter((commit) => !this.#held.has(commit)) : commits;
	}

	/** All of these are in the history of the tip. */
	holds(tip: string, commits: readonly string[]): void {
		this.#held = new Set([...(tip === this.#tip ? this.#held : []), ...commits, tip]);
		this.#tip = tip;
	}

	/** The branch moved to a commit that was made on another one. */
	grew(from: string, to: string): void {
		const held = from === this.#tip ? this.#held : [];
		this.#held = new Set([...held, from, to]);
		this.#tip = to;
	}
}
