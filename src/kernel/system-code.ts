/** Code of an error of `node:fs` or `node:child_process`, such as `"ENOSPC"`; `"unknown error"` for one without a code. */
export function systemCode(error: unknown): string {
	const code: unknown = error instanceof Error ? Reflect.get(error, "code") : undefined;
	return typeof code === "string" ? code : "unknown error";
}
