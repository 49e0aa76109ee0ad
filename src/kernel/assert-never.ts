/** Ends a `switch` over a closed union: reached only when the union grew and the switch did not. */
export function assertNever(value: never): never {
	throw new Error(`unexpected value ${JSON.stringify(value)}`);
}
