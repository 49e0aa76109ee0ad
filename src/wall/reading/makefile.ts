const TARGET = /^([\w./%-]+(?:[ \t]+[\w./%-]+)*)[ \t]*::?(?!=)[ \t]*([^=;]*)(?:;(.*))?$/;
const VARIABLE = /^[\w.]+[ \t]*[:+?]?=/;
/** A rule whose targets are no plain names. */
const COMPUTED = /^(?=[^#\s])[^#=]*\$[^#=]*:(?!=)/;
/** Runs what is put together. */
const ANY = /\$[({](?!MAKE[)}])|\$[^({$@<^]|\bmake\b.*\$|\bxargs\b/;

interface Rule {
	readonly needs: string[];
	readonly recipe: string[];
}

interface Makefile {
	readonly rules: ReadonlyMap<string, Rule>;
	/** Values of variables, and recipes of rules with computed names. */
	readonly values: readonly string[];
	/** Every line that is no part of a rule, and these recipes. */
	readonly others: readonly string[];
}

function read(text: string): Makefile {
	const rules = new Map<string, Rule>();
	const values: string[] = [];
	const others: string[] = [];
	let recipes: readonly string[][] = [];
	for (const line of text.replaceAll(/\\\r?\n[ \t]*/g, " ").split(/\r?\n/)) {
		if (line.startsWith("\t")) {
			const step = line.trim().replace(/^[@+]+/, "");
			for (const recipe of recipes) recipe.push(step);
			continue;
		}
		const [, names] = TARGET.exec(line) ?? [];
		if (names !== undefined) {
			recipes = names.split(/\s+/).map((name) => ruleIn(rules, name, line).recipe);
			continue;
		}
		others.push(line.trim());
		if (VARIABLE.test(line)) values.push(line.replace(/^[^=]*=/, "").trim());
		else if (COMPUTED.test(line)) recipes = [values, others];
	}
	return { rules, values, others };
}

/** The rule of a target, with what a line says of it. */
function ruleIn(rules: Map<string, Rule>, name: string, line: string): Rule {
	const [, , needs = "", inline] = TARGET.exec(line) ?? [];
	const rule = rules.get(name) ?? { needs: [], recipe: [] };
	rule.needs.push(...needs.split(/\s+/).filter(Boolean));
	if (inline) rule.recipe.push(inline);
	rules.set(name, rule);
	return rule;
}

/**
 * The recipe lines of a Makefile that a command runs: of the targets that it names, or else of the first one, and of
 * what these need. Definitions of variables count too, since recipes consist of them.
 *
 * @param words of the command
 * @example `makeLines("test: build\n\tsh run.sh\n", ["make", "test"])` gives `["sh run.sh"]`
 */
export function makeLines(text: string, words: ReadonlySet<string>): string[] {
	const { rules, values } = read(text);
	const targets = targetsOf(rules);
	const asked = targets.filter((name) => words.has(name));
	const made = madeFrom(asked.length > 0 ? asked : targets.slice(0, 1), rules);
	const found = made.flatMap((name) => rules.get(name)?.recipe ?? []);
	return [...found, ...values].map((line) =>
		line
			.replaceAll(/\s+/g, " ")
			.replace(/^[\s@+-]+/, "")
			.trim(),
	);
}

/**
 * Tells whether two versions of a Makefile differ only in rules that nobody who names some of its targets makes: neither
 * these, nor the first, nor what they need, nor a pattern.
 *
 * @param words of all commands and texts that run make
 */
export function onlyUnmade(base: string, head: string, words: ReadonlySet<string>): boolean {
	if ([base, head].some((text) => !isSimple(text))) return false;
	const [before, after] = [base, head].map((text) => {
		const { rules, others, values } = read(text);
		const targets = targetsOf(rules);
		const asked = targets.filter((name, at) => at === 0 || words.has(name) || name.includes("%"));
		const special = [...rules.keys()].filter((name) => name.startsWith("."));
		const named = madeFrom(asked, rules);
		const isAny =
			values.some((value) => /make/i.test(value)) ||
			named.some((name) => rules.get(name)?.recipe.some((line) => ANY.test(line)));
		const made = (isAny ? targets : named).map((name) => [name, rules.get(name)]);
		const said = others.filter((line) => line !== "" && !line.startsWith("#"));
		return JSON.stringify([said, made, special.map((name) => [name, rules.get(name)])]);
	});
	return before === after;
}

const WORDS_OF_MAKE =
	/^(?:-?include|sinclude|export|unexport|vpath|load|undefine|define|endef|override|private|if|else|endif)/;

/** Nothing but comments, variables, and rules of plain names with their recipes, which nobody can read otherwise. */
function isSimple(text: string): boolean {
	if (/\\\\\r?$/m.test(text)) return false;
	let isOfRule = false;
	return text
		.replaceAll(/\\\r?\n[ \t]*/g, " ")
		.split(/\r?\n/)
		.every((line) => {
			if (line.startsWith("\t")) return isOfRule || line.trim() === "";
			if (/^\s*(?:$|#)/.test(line)) return true;
			const isVariable = VARIABLE.test(line);
			isOfRule = !isVariable;
			if (isVariable) return !/^\.[A-Z]/.test(line);
			return TARGET.test(line) && !/[$=&]|[Mm]akefile/.test(line) && !WORDS_OF_MAKE.test(line);
		});
}

const targetsOf = (rules: ReadonlyMap<string, Rule>): string[] =>
	[...rules.keys()].filter((name) => !name.startsWith("."));

/** Targets that are asked for, and all that they need or make. */
function madeFrom(asked: readonly string[], rules: ReadonlyMap<string, Rule>): string[] {
	const made = new Set(asked.filter((name) => rules.has(name)));
	for (const name of made) {
		const { needs = [], recipe = [] } = rules.get(name) ?? {};
		for (const next of [...needs, ...recipe.flatMap(madeBy)]) if (rules.has(next)) made.add(next);
	}
	return [...made];
}

function madeBy(line: string): string[] {
	return /\$[({]MAKE[)}]|\bmake\b/.test(line) ? (line.match(/[\w.%/-]+/g) ?? []) : [];
}
