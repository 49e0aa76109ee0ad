export interface Problem {
	readonly error: {
		/** A code of Sparring's faults, such as `item-not-found`; or `unauthorized`, `forbidden`, `not-found`, ... */
		readonly code: string;
		/** What happened, to which object. One sentence. */
		readonly message: string;
		/** What to do next. */
		readonly hint: string | null;
	};
}
