/**
 * The code of a system error, such as `ENOSPC`, that a call of `node:fs` or `node:child_process` threw.
 *
 * @returns `"unknown error"` for an error without a code
 */
export function systemCode(error: unknown): string {
	const code: unknown = error instanceof Error ? Reflect.get(error, "code") : undefined;
	return typeof code === "string" ? code : "unknown error";
}
