/**
 * A text as one of its readers sees it, such as a reader of JSON, with the place of everything in the text itself.
 *
 * @example as JSON, `a\u0062c` is `"abc"`; its second character begins at 1 and ends at 7
 */
export interface View {
	readonly text: string;
	/** Begin, in the text itself, of the character at `index`. */
	begin(index: number): number;
	/** End, in the text itself, of the character before `index`. */
	end(index: number): number;
}

interface Rewriting {
	readonly pattern: RegExp;
	readonly read: (found: string) => string;
}

/** Begin and end, in a text, of each character of what is read in it. */
function placesIn(text: string, { pattern, read }: Rewriting) {
	const begins = new Uint32Array(text.length);
	const ends = new Uint32Array(text.length);
	let length = 0;
	let at = 0;
	const copyUpTo = (index: number): void => {
		while (at < index) {
			begins[length] = at;
			at += 1;
			ends[length] = at;
			length += 1;
		}
	};
	for (const { 0: found, index } of text.matchAll(pattern)) {
		copyUpTo(index);
		at += found.length;
		for (const _ of read(found).split("")) {
			begins[length] = index;
			ends[length] = at;
			length += 1;
		}
	}
	copyUpTo(text.length);
	return { begins, ends };
}

/** The view in which each occurrence of a pattern reads as something shorter; none when nothing does. */
function viewOf(of: View, reading: Rewriting): View[] {
	const text = of.text.replaceAll(reading.pattern, reading.read);
	if (text.length === of.text.length) return [];
	// Most texts hold nothing of which the place is asked for.
	let known: ReturnType<typeof placesIn> | undefined;
	const places = () => {
		known ??= placesIn(of.text, reading);
		return known;
	};
	const begin = (index: number): number => of.begin(Number(places().begins[index]));
	return [{ text, begin, end: (index) => of.end(Number(places().ends[index - 1])) }];
}

const NAMED: Readonly<Record<string, string>> = { n: "\n", r: "\r", t: "\t", b: "\b", f: "\f" };

const JSON_ESCAPES: Rewriting = {
	pattern: /\\(?:u[0-9a-fA-F]{4}|["\\/bfnrt])/g,
	read: (found) =>
		found.length > 2
			? String.fromCharCode(Number.parseInt(found.slice(2), 16))
			: (NAMED[found.charAt(1)] ?? found.charAt(1)),
};

/** Bytes of one character of UTF-8. */
const PERCENT_CODES: Rewriting = {
	pattern: /%(?:[0-7][0-9a-f]|[c-f][0-9a-f](?:%[89ab][0-9a-f]){1,3})/gi,
	read: (found) => Buffer.from(found.replaceAll("%", ""), "hex").toString(),
};

const removing = (pattern: string): Rewriting => ({
	pattern: new RegExp(pattern, "g"),
	read: () => "",
});

/** Characters without width, and orders to a terminal such as a colour. */
const HIDDEN = String.raw`[\u00ad\u200b-\u200d\u2060\ufeff]|\u001b\[[\d;]{0,16}[A-Za-z]`;
const UNSEEN: Rewriting = removing(HIDDEN);

/** With the indentation behind it. */
const LINE_END = String.raw`(?:\\?\r?\n|\r)[ \t]{0,80}`;
const LINE_ENDS: Rewriting = removing(`${LINE_END}|${HIDDEN}`);

/** Also with the sign of a diff, or up to three of a quotation or a frame, at the beginning of the next line. */
const QUOTED_LINE_ENDS: Rewriting = removing(
	String.raw`${LINE_END}(?:(?:[>|][ \t]{0,8}){1,3}|[-+][ \t]{0,8})?|${HIDDEN}`,
);

const QUOTED = /[\n\r][ \t]{0,80}[-+>|]/;

/** Of JSON inside JSON. */
const DEEPEST = 3;

/** A text as it stands, as a reader of its JSON sees it, also of JSON inside JSON, and without what a terminal hides. */
export function readViews(text: string): readonly View[] {
	const asItStands = (index: number): number => index;
	const views: View[] = [{ text, begin: asItStands, end: asItStands }];
	for (const view of views)
		if (views.length <= DEEPEST && view.text.includes("\\"))
			views.push(...viewOf(view, JSON_ESCAPES));
	return [...views, ...views.slice(-1).flatMap((last) => viewOf(last, UNSEEN))];
}

/** Also without line ends and the signs by which a diff or a quotation begins a line; and each with percent codes read. */
export function allViews(text: string): readonly View[] {
	const views = readViews(text);
	const unbrokenViews = views.flatMap((view) => [
		...viewOf(view, LINE_ENDS),
		...(QUOTED.test(view.text) ? viewOf(view, QUOTED_LINE_ENDS) : []),
	]);
	const whole = [...views, ...unbrokenViews];
	return [...whole, ...whole.flatMap((view) => viewOf(view, PERCENT_CODES))];
}

/** A text as it is found where line ends are left out: `"a\n  b"` is `"ab"`. */
export const unbroken = (text: string): readonly string[] =>
	[LINE_ENDS, QUOTED_LINE_ENDS].map(({ pattern }) => text.replaceAll(pattern, ""));
