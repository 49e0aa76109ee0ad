export type Path = readonly (string | number)[];

export type Mapping = Readonly<Record<string, unknown>>;

/** Tells a mapping of YAML or JSON: an object that is not a list. */
export function isMapping(value: unknown): value is Mapping {
	return typeof value === "object" && value !== null && !Array.isArray(value);
}
