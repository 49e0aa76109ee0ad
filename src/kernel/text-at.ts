/** `file:line` of a place, or its file; `""` where nobody named one. */
export function textAt({
	file,
	line,
}: {
	readonly file?: string | null | undefined;
	readonly line?: number | null | undefined;
}): string {
	if (file == null || line == null) return file ?? "";
	return `${file}:${line}`;
}
