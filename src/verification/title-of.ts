/** The last part of a case's id, which is how its file spells it: `a.test.ts > adds > zero` is `zero`. */
export function titleOf(id: string): string {
	return (
		id
			.split(/ > | › |::/)
			.at(-1)
			?.replace(/ #\d+$/, "")
			.replace(/ \([\w.]+\)$/, "")
			.trim() ?? id
	);
}
