/** Why a change can break what lies beyond its own component. */
export type VerificationCause =
	| { readonly kind: "several_packages"; readonly packages: readonly string[] }
	| { readonly kind: "shared_type"; readonly path: string; readonly name: string | null }
	| { readonly kind: "cross_component_call"; readonly path: string; readonly to: string }
	| {
			readonly kind: "api_contract" | "migration" | "shared_configuration" | "unreadable";
			readonly path: string;
	  };

/** What each kind reads as, before the place. */
const WORDS: Readonly<Record<Exclude<VerificationCause["kind"], "several_packages">, string>> = {
	api_contract: "it touches an API contract",
	shared_type: "it touches a declaration that others use",
	cross_component_call: "it calls another component",
	migration: "it touches a migration or a stored structure",
	shared_configuration: "it touches configuration, a schema or deployment",
	unreadable: "what it changes cannot be told",
};

/** Packages that a sentence names; more are counted. */
const NAMED = 4;

/**
 * A cause as people read it.
 *
 * @example `{ kind: "migration", path: "db/001.sql" }` is `it touches a migration or a stored structure: db/001.sql`
 */
export function causeText(cause: VerificationCause): string {
	if (cause.kind === "several_packages") {
		const { packages } = cause;
		const more = packages.length > NAMED ? `, and ${packages.length - NAMED} more` : "";
		return `it touches several components: ${packages.slice(0, NAMED).join(", ")}${more}`;
	}
	const words = `${WORDS[cause.kind]}: ${cause.path}`;
	if (cause.kind === "cross_component_call") return `${words} -> ${cause.to}`;
	return cause.kind === "shared_type" && cause.name !== null ? `${words} (${cause.name})` : words;
}
