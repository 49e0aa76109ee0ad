/**
 * Shannon entropy of a text in bits for each character, from 0 up to the logarithm of its length.
 *
 * C. E. Shannon, A Mathematical Theory of Communication (1948). `"aabb"` gives 1, `"abcd"` gives 2.
 */
export function entropyOf(text: string): number {
	const counts = countsOf(text);
	let total = 0;
	for (const count of counts) total += count;
	let bits = 0;
	for (const count of counts) {
		if (count > 0) bits -= (count / total) * Math.log2(count / total);
	}
	return bits;
}

/** How often each character stands in a text; zeros may be among them. */
function countsOf(text: string): Iterable<number> {
	const ascii = new Uint16Array(128);
	if (text.length > 65_535) return countsOfAny(text);
	for (let index = 0; index < text.length; index += 1) {
		const code = text.charCodeAt(index);
		if (code > 127) return countsOfAny(text);
		// Every code below 128 has its count.
		ascii[code] = (ascii[code] as number) + 1;
	}
	return ascii;
}

function countsOfAny(text: string): Iterable<number> {
	const counts = new Map<string, number>();
	for (const character of text) counts.set(character, (counts.get(character) ?? 0) + 1);
	return [...counts.values()];
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
	const head = body.slice(0, HEAD);
	const mixed = /\d/.test(head) || (/[a-z]/.test(head) && /[A-Z]/.test(head));
	return mixed && entropyOf(head) >= ENOUGH_BITS && !EXAMPLE.test(head);
}
