type SnakeKey<Key extends string> = Key extends `${infer First}${infer Rest}`
	? `${First extends Lowercase<First> ? First : `_${Lowercase<First>}`}${SnakeKey<Rest>}`
	: "";

export type Snake<Value> = {
	readonly [Key in keyof Value as Key extends string ? SnakeKey<Key> : never]: Value[Key];
};

/** @example `snakeCase("failureReason")` is `"failure_reason"` */
export const snakeCase = (name: string): string =>
	name.replaceAll(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);

/**
 * Some fields of a record, in this order, named as JSON has them.
 *
 * @example `snake(task, "failureReason")` is `{ failure_reason: task.failureReason }`
 */
export function snake<Value extends object, Key extends keyof Value & string>(
	value: Value,
	...keys: readonly Key[]
): Snake<Pick<Value, Key>> {
	const entries = keys.map((key) => [snakeCase(key), value[key]]);
	// The type names the keys by the same rule.
	return Object.fromEntries(entries) as Snake<Pick<Value, Key>>;
}
