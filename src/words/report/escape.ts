// Characters that XML cannot hold are spelled out: `escapeMarkup("a<b\u001b")` is `"a&lt;b\\x1b"`.
export function escapeMarkup(text: string): string {
	return visible(text)
		.replaceAll("&", "&amp;")
		.replaceAll("<", "&lt;")
		.replaceAll(">", "&gt;")
		.replaceAll('"', "&quot;")
		.replaceAll("'", "&#39;");
}

function visible(text: string): string {
	return text
		.toWellFormed()
		.replaceAll(/\r\n?/g, "\n")
		.replaceAll(/[\p{Cc}\u200e\u200f\u2028-\u202e\u2066-\u2069\ufffe\uffff]/gu, (character) => {
			if (character === "\n" || character === "\t") return character;
			const code = (character.codePointAt(0) ?? 0).toString(16);
			return code.length > 2 ? `\\u${code.padStart(4, "0")}` : `\\x${code.padStart(2, "0")}`;
		});
}

const GAP = "&#8203;";

// No person is mentioned, no issue is linked or closed, and no address becomes a link. Expects markup that is escaped
// already.
export function withoutReferences(markup: string): string {
	return markup
		.replaceAll(/@(?=[\p{L}\p{N}_-])/gu, `@${GAP}`)
		.replaceAll(/(?<!&)#(?=[\p{L}\p{N}_])/gu, `#${GAP}`)
		.replaceAll(/!(?=\d)/g, `!${GAP}`)
		.replaceAll(/(gh-)(?=\d)/gi, `$1${GAP}`)
		.replaceAll(/:(?=\/\/)/g, `:${GAP}`)
		.replaceAll(/(www)\./gi, `$1${GAP}.`);
}

// Not for the inside of a code span. `escapeMarkdown("<b>*x*</b> fixes #1")` is `"&lt;b&gt;\\*x\\*&lt;/b&gt; fixes
// \\#&#8203;1"`.
export function escapeMarkdown(text: string): string {
	const escaped = visible(text)
		.replaceAll(/\s+/g, " ")
		.trim()
		.replaceAll(/[\\`*[\]~$]/g, "\\$&")
		// Between letters, as in snake_case, it marks nothing.
		.replaceAll(/(?<![\p{L}\p{N}])_|_(?![\p{L}\p{N}])/gu, "\\_")
		.replaceAll("&", "&amp;")
		.replaceAll("<", "&lt;")
		.replaceAll(">", "&gt;");
	return (
		withoutReferences(escaped)
			// After the references, whose gaps have such a character.
			.replaceAll(/(?<!&)#/g, "\\#")
			.replaceAll("|", "&#124;")
			// What begins a list, a heading or a command of GitLab where it begins a line.
			.replace(/^[-+=/]/, "\\$&")
			.replace(/^(\d{1,9})([.)])/, "$1\\$2")
	);
}
