export type Path = readonly (string | number)[];

interface Layer {
	readonly value: unknown;
	readonly path: Path;
}

type Mapping = Readonly<Record<string, unknown>>;

/** Tells a mapping of YAML or JSON: an object that is not a list. */
export function isMapping(value: unknown): value is Mapping {
	return typeof value === "object" && value !== null && !Array.isArray(value);
}

/**
 * A value of the file before it is known to have the right type, together with where it stands.
 *
 * It may have layers, such as a task over `defaults`: mappings merge key by key, anything else of the
 * upper layer hides what lies below (a list replaces a list). Asking for what is not there gives an absent field.
 */
export class Field {
	readonly path: Path;
	readonly #layers: readonly Layer[];

	constructor(path: Path, layers: readonly Layer[]) {
		this.path = path;
		this.#layers = layers;
	}

	static root(value: unknown): Field {
		return new Field([], [{ value, path: [] }]);
	}

	over(lower: Field): Field {
		return new Field(this.path, [...this.#layers, ...lower.#layers]);
	}

	without(key: string): Field {
		const layers = this.#mappings().map(({ value, path }) => ({
			value: Object.fromEntries(Object.entries(value).filter(([each]) => each !== key)),
			path,
		}));
		return new Field(this.path, layers);
	}

	get present(): boolean {
		return this.#layers.length > 0;
	}

	get value(): unknown {
		return this.#layers[0]?.value;
	}

	get text(): string | undefined {
		return typeof this.value === "string" && this.value !== "" ? this.value : undefined;
	}

	at(key: string): Field {
		const layers = this.#mappings().flatMap(({ value, path }) =>
			Object.hasOwn(value, key) ? [{ value: value[key], path: [...path, key] }] : [],
		);
		return new Field(layers[0]?.path ?? [...this.path, key], layers);
	}

	/** Those of the uppermost layer first; empty for anything but a mapping. */
	keys(): string[] {
		return [...new Set(this.#mappings().flatMap(({ value }) => Object.keys(value)))];
	}

	entries(): { readonly key: string; readonly field: Field }[] {
		return this.keys().map((key) => ({ key, field: this.at(key) }));
	}

	items(): Field[] {
		return Array.isArray(this.value) ? this.value.map((_value, index) => this.item(index)) : [];
	}

	item(index: number): Field {
		const path = [...this.path, index];
		const list: readonly unknown[] = Array.isArray(this.value) ? this.value : [];
		return new Field(path, index in list ? [{ value: list[index], path }] : []);
	}

	texts(): { readonly text: string; readonly field: Field }[] {
		return this.items().flatMap((field) =>
			field.text === undefined ? [] : [{ text: field.text, field }],
		);
	}

	merged(): unknown {
		if (this.#mappings().length < 2) return this.value;
		return Object.fromEntries(this.entries().map(({ key, field }) => [key, field.merged()]));
	}

	#mappings(): { readonly value: Mapping; readonly path: Path }[] {
		const found: { readonly value: Mapping; readonly path: Path }[] = [];
		for (const { value, path } of this.#layers) {
			if (!isMapping(value)) break;
			found.push({ value, path });
		}
		return found;
	}
}

const NOBODY = new Field([], []);

/**
 * The seats of a task over `defaults`. A formal review has a coach only; a pair's driver may be named by `agent`.
 */
export function seatFields(task: Field): { readonly player: Field; readonly coach: Field } {
	const agent = task.at("agent");
	if (task.at("formal_review").value === true) return { player: NOBODY, coach: agent };
	const pair = task.at("overlays").at("paired_workflow");
	if (pair.at("enabled").value !== true) return { player: agent, coach: NOBODY };
	const driver = pair.at("driver_agent");
	return { player: driver.present ? driver : agent, coach: pair.at("challenger_agent") };
}

/** A task and its values with `defaults` below them. */
export interface TaskField {
	readonly id: string;
	readonly field: Field;
}

/** Each task over `defaults` (the task wins, lists replace); a formal review takes no overlay from there. */
export function taskFields(root: Field): TaskField[] {
	const defaults = root.at("defaults");
	const plain = defaults.without("overlays");
	return root
		.at("tasks")
		.entries()
		.map(({ key, field }) => {
			const isReview = field.at("formal_review").value === true;
			return { id: key, field: field.over(isReview ? plain : defaults) };
		});
}
