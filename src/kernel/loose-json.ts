/** A JSON object whose keys are not known for sure. */
export type LooseObject = Readonly<Record<string, unknown>>;

/** Whether a value is a JSON object. */
export function isObject(value: unknown): value is LooseObject {
	return typeof value === "object" && value !== null && !Array.isArray(value);
}

export function objectsOf(value: unknown): readonly LooseObject[] {
	return Array.isArray(value) ? value.filter(isObject) : [];
}

export function textsOf(value: unknown): readonly string[] {
	return Array.isArray(value) ? value.filter((item) => typeof item === "string") : [];
}

/** A text or number as text; `""` for anything else. */
export function textOf(value: unknown): string {
	return typeof value === "string" || typeof value === "number" ? String(value) : "";
}
