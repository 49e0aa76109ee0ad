/** A text with its placeholders filled, or the names of those for which there is no value. */
export type FilledTemplate =
	| { readonly kind: "filled"; readonly text: string }
	| { readonly kind: "unknown"; readonly names: readonly string[] };

const PLACEHOLDER = /\$\{([A-Za-z_][A-Za-z0-9_]*)\}/g;

/**
 * Puts values in the place of `${NAME}`. What a value holds is not looked at again, so it can bring no placeholder in;
 * everything else, such as `$NAME` and `${}`, stays as it is.
 *
 * @param lookUp undefined where there is no value; an empty text is one
 * @example `fillTemplate("task ${TASK_ID}", () => "limiter")` is `{ kind: "filled", text: "task limiter" }`
 */
export function fillTemplate(
	template: string,
	lookUp: (name: string) => string | undefined,
): FilledTemplate {
	const unknown = new Set<string>();
	const text = template.replaceAll(PLACEHOLDER, (_all, name: string) => {
		const value = lookUp(name);
		if (value === undefined) unknown.add(name);
		return value ?? "";
	});
	return unknown.size === 0 ? { kind: "filled", text } : { kind: "unknown", names: [...unknown] };
}
