/**
 * Shannon entropy of a text in bits for each character, from 0 up to the logarithm of its length.
 *
 * C. E. Shannon, A Mathematical Theory of Communication (1948). `"aabb"` gives 1, `"abcd"` gives 2.
 */
export function entropyOf(text: string): number {
	const counts = new Map<string, number>();
	let total = 0;
	for (const character of text) {
		counts.set(character, (counts.get(character) ?? 0) + 1);
		total += 1;
	}
	return [...counts.values()].reduce(
		(bits, count) => bits - (count / total) * Math.log2(count / total),
		0,
	);
}

/** What stands for a secret that the reader is to fill in, or says that it is none. */
const PLACEHOLDER =
	/example|change[-_ ]?(?:me|it)|your|placeholder|dummy|sample|fake|redacted|replace|insert|masked|todo|fixme|lorem|foobar|not[-_ ]?(?:a|the|real)|xxxx|\*\*\*|\.\.\./i;

/** A reference to a variable, or a template: `$NAME`, `${name}`, `$(command)`, `{{ name }}`, `{name}`, `<name>`, `%NAME%`, `%s`. */
const REFERENCE =
	/^\$\w{1,60}$|\$[({]|\{\{|\{[a-zA-Z_]{1,40}\}|<[A-Za-z/ _-]{1,40}>|^%[\w]{1,60}%?$|#\{/;

/** Characters of a text that are looked at; a secret says early what it is. */
const HEAD = 200;

/** Whether a text says of itself that it is no secret, or refers to one. */
export function isPlaceholder(text: string): boolean {
	const head = text.slice(0, HEAD);
	return PLACEHOLDER.test(head) || REFERENCE.test(head);
}

/** Words that a random token of a known form has by chance only once in millions. */
const EXAMPLE = /example|placeholder|your[-_]/i;

/** Letters and digits that a person would not type: enough different ones, and not all of one kind. */
const ENOUGH_BITS = 2.5;

/** Whether the text after a token's fixed beginning is random rather than words or filling. */
export function isRandomToken(body: string): boolean {
	const mixed = /\d/.test(body) || (/[a-z]/.test(body) && /[A-Z]/.test(body));
	return mixed && entropyOf(body) >= ENOUGH_BITS && !EXAMPLE.test(body);
}
