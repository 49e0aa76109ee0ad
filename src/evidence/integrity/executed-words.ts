import path from "node:path";

/** Programs whose first argument is a script that they run. */
const INTERPRETERS =
	/^(?:sh|bash|zsh|ksh|dash|fish|source|\.|node|nodejs|bun|deno|tsx|ts-node|python[\d.]*|pypy[\d.]*|ruby|perl|php|Rscript|lua)$/;

/** After these the script is no file: it stands in the command itself, or is a module. */
const INLINE = /^-(?:[a-z]*c|e|m|p|-eval|-print)$/;

/** Words behind which a program stands, as at the start of a line. */
const BEFORE_PROGRAM = /^(?:exec|env|time|nohup|command|sudo|then|do|else|!|-[a-z]*c)$/;

/**
 * Words of shell lines that are run as programs or scripts, when they may be files of the checkout: not the files that a
 * command reads or writes.
 *
 * @example `sh -c "exec node tools/coach > out.txt"` gives `tools/coach`
 */
export function executedWords(command: string): ReadonlySet<string> {
	const found = new Set<string>();
	for (const line of command.split(/[\n;|&()`]+/)) {
		const tokens = tokensOf(line).filter((token) => !/^\w+=/.test(token));
		for (const [index, token] of tokens.entries()) {
			const leads = index === 0 || BEFORE_PROGRAM.test(tokens[index - 1] ?? "");
			if (leads && token.includes("/")) found.add(token);
			const script = INTERPRETERS.test(path.posix.basename(token))
				? scriptOf(tokens.slice(index + 1))
				: undefined;
			if (script !== undefined) found.add(script);
		}
	}
	return found;
}

/** What stands in quotes is a file's name when it ends like one, else a line of its own. */
function tokensOf(line: string): string[] {
	const parts = [...line.matchAll(/"([^"]*)"|'([^']*)'|[^\s"']+/g)];
	return parts.flatMap(([whole, double, single]) => {
		const quoted = double ?? single;
		if (quoted === undefined) return [whole];
		return /^[\w ./-]+\.\w+$/.test(quoted) && !/^\w+ -/.test(quoted)
			? [quoted]
			: quoted.split(/\s+/).filter((word) => word !== "");
	});
}

function scriptOf(rest: readonly string[]): string | undefined {
	const at = rest.findIndex((argument) => !argument.startsWith("-"));
	return at < 0 || rest.slice(0, at).some((option) => INLINE.test(option)) ? undefined : rest[at];
}
