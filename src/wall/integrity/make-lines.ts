const TARGET = /^([\w./%-]+(?:[ \t]+[\w./%-]+)*)[ \t]*::?(?!=)[ \t]*([^=;]*)(?:;(.*))?$/;

interface Rule {
	readonly needs: readonly string[];
	readonly lines: string[];
}

/**
 * The recipe lines of a Makefile that a command runs: of the targets that it names, or else of the first one, and of
 * what these need. Definitions of variables count too, since recipes consist of them.
 *
 * @param words of the command
 * @example `makeLines("test: build\n\tsh run.sh\n", ["make", "test"])` gives `["sh run.sh"]`
 */
export function makeLines(text: string, words: ReadonlySet<string>): string[] {
	const rules = new Map<string, Rule>();
	const variables: string[] = [];
	let open: readonly Rule[] = [];
	for (const line of text.replaceAll(/\\\r?\n[ \t]*/g, " ").split(/\r?\n/)) {
		if (line.startsWith("\t")) {
			for (const { lines } of open) lines.push(line.trim().replace(/^[@+-]+/, ""));
			continue;
		}
		const [, names, needs = "", inline] = TARGET.exec(line) ?? [];
		if (names === undefined) {
			if (/^[\w.]+[ \t]*[:+?]?=/.test(line)) variables.push(line.replace(/^[^=]*=/, "").trim());
			continue;
		}
		open = names.split(/\s+/).map((name) => {
			const rule = { needs: needs.split(/\s+/).filter(Boolean), lines: inline ? [inline] : [] };
			const known = rules.get(name);
			const joined =
				known === undefined ? rule : { needs: [...known.needs, ...rule.needs], lines: known.lines };
			rules.set(name, joined);
			return joined;
		});
	}
	const targets = [...rules.keys()].filter((name) => !name.startsWith("."));
	const asked = targets.filter((name) => words.has(name));
	const found = linesOf(asked.length > 0 ? asked : targets.slice(0, 1), rules);
	return [...found, ...variables].map((line) => line.replaceAll(/\s+/g, " ").trim());
}

function linesOf(asked: readonly string[], rules: ReadonlyMap<string, Rule>): string[] {
	const seen = new Set<string>();
	const queue = [...asked];
	const lines: string[] = [];
	for (let name = queue.shift(); name !== undefined; name = queue.shift()) {
		const rule = rules.get(name);
		if (rule === undefined || seen.has(name)) continue;
		seen.add(name);
		lines.push(...rule.lines);
		queue.push(...rule.needs, ...rule.lines.flatMap(madeBy));
	}
	return lines;
}

function madeBy(line: string): string[] {
	return /\$[({]MAKE[)}]|\bmake\b/.test(line) ? line.split(/\s+/).slice(1) : [];
}
