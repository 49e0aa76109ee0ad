export type FilledTemplate =
	| { readonly kind: "filled"; readonly text: string }
	| { readonly kind: "unknown"; readonly names: readonly string[] };

const VARIABLE = /\$\{([A-Za-z_][A-Za-z0-9_]*)\}/g;

/** `{name}`, whatever stands between the braces. */
export const BRACES = /\{([^{}]*)\}/g;

/**
 * Puts values in the place of `${NAME}`, or of another placeholder. What a value holds is not looked at again, so it
 * can bring no placeholder in; everything else, such as `$NAME` and `${}`, stays as it is.
 */
export function fillTemplate(
	template: string,
	lookUp: (name: string) => string | undefined,
	placeholder: RegExp = VARIABLE,
): FilledTemplate {
	const unknown = new Set<string>();
	const text = template.replaceAll(placeholder, (_all, name: string) => {
		const value = lookUp(name);
		if (value === undefined) unknown.add(name);
		return value ?? "";
	});
	return unknown.size === 0 ? { kind: "filled", text } : { kind: "unknown", names: [...unknown] };
}

/** Names in a template, as in `${NAME}`. */
export function namesInTemplate(template: string): readonly string[] {
	const filled = fillTemplate(template, () => undefined);
	return filled.kind === "unknown" ? filled.names : [];
}
