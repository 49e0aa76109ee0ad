/** One line of `spar doctor`. */
export interface DoctorLine {
	/** What was looked at, such as `"git"`. */
	readonly name: string;
	/** `false`: Sparring does not work; `"warn"`: it works, with the limit that `detail` names. */
	readonly ok: boolean | "warn";
	readonly detail: string;
	/** What to do; null when nothing is to be done. */
	readonly fix: string | null;
}

/** What `diagnose` looks at. */
export interface DoctorPlace {
	/** Any directory, best one inside a repository. */
	readonly directory: string;
	readonly env: Readonly<Record<string, string | undefined>>;
}
