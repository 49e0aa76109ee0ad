import { expect } from "vitest";
import { findSecrets, keywords } from "./find-secrets.ts";
import { vendorSecrets } from "./planted-texts.fixture.ts";
import { TOKEN_KINDS } from "./token-kinds.ts";

const fill = (unit: string, length: number): string =>
	unit.repeat(Math.ceil(length / unit.length)).slice(0, length);

/** Lines of the beginning of every token, and runs that go on where a rule gives up. */
function nearMisses(length: number): (readonly [name: string, text: string])[] {
	return vendorSecrets().map(([rule, secret], index) => {
		const text = fill(`${secret.slice(0, -3)}! `, length);
		return [`near misses of ${rule} ${index}`, text] as const;
	});
}

/** As vendors write them where that matters. */
const PREFIXES: readonly string[] = TOKEN_KINDS.flatMap(({ prefixes }) => prefixes);

/** In seconds that this process computed: other processes take none of them. */
function secondsFor(work: () => void): number {
	const before = process.cpuUsage();
	work();
	const { user, system } = process.cpuUsage(before);
	return (user + system) / 1_000_000;
}

/** What four times the text may take of the time of the text: twice what it should, and less than half of a square. */
const GROWTH = 8;
const SECONDS_PER_MEGABYTE = 8;
const NOISE = 0.03;

/** That a search takes a bounded time for each character, and that the time grows with the length of the text alone. */
export function expectLinear(
	text: string,
	search: (text: string) => void = (each) => void findSecrets(each),
): void {
	const piece = text.slice(0, text.length / 4);
	const most = (SECONDS_PER_MEGABYTE * text.length) / 1_000_000 + NOISE;
	// The whole first, which is compiled on the way: a slow quarter would let a slow search through.
	let [whole, quarter] = [secondsFor(() => search(text)), secondsFor(() => search(piece))];
	// What was slow once may have been slow by chance: of three runs the quickest counts.
	for (let runs = 1; runs < 3 && whole >= Math.min(GROWTH * quarter + NOISE, most); runs += 1) {
		quarter = Math.min(
			quarter,
			secondsFor(() => search(piece)),
		);
		whole = Math.min(
			whole,
			secondsFor(() => search(text)),
		);
	}
	expect(whole).toBeLessThan(GROWTH * quarter + NOISE);
	expect(whole).toBeLessThan(most);
}

/** Texts of about a length that cost a masker the most, by name. */
export function worstTexts(length: number): readonly (readonly [name: string, text: string])[] {
	const of = (name: string, unit: string) => [name, fill(unit, length)] as const;
	return [
		of("one letter", "a"),
		of("dots of a token", "eyJ"),
		of("assignments without a value", "password="),
		of("assignments of assignments", "password=token=secret:"),
		of("quotes that never close", 'password="'),
		of("escaped quotes", 'token\\"'),
		of("backslashes", "\\"),
		of("escaped line ends", "\\n"),
		of("line ends", "\n"),
		of("indentation", "\n\t\t\t\t\t\t\t\t"),
		of("first lines of keys", "-----BEGIN "),
		of("whole first lines of keys", "-----BEGIN PRIVATE KEY-----\n"),
		of("first lines with a body", `-----BEGIN PRIVATE KEY-----\n${"+".repeat(230)}`),
		of("last lines of keys", "-----END PRIVATE KEY-----\n"),
		of("last lines after bodies", `${"A1b2".repeat(300)}\n-----END RSA PRIVATE KEY-----\n`),
		of("base64", "aB3/"),
		of("logins", "://a:b"),
		of("long logins", `https://${"a1".repeat(120)}:${"b2".repeat(120)}@`),
		of("mail-like", "http://a@b@c@d@"),
		of("database addresses", `mongodb://${"a".repeat(99)}:${"b".repeat(199)}`),
		of("tokens of an app", "ghs_1_"),
		of("broken tokens", "ghp_\n"),
		of("broken tokens, indented", "glpat-a1B\n    "),
		of("segments of Slack", "xoxb-a-1-"),
		of("mail keys", "SG.a.a_"),
		of("long mail keys", `SG.a.${"a".repeat(300)}`),
		of("marks", "[MASKED:env:12ab]"),
		of("marks between tokens", "[MASKED:env:12ab]ghp_"),
		of("every keyword", PREFIXES.join("")),
		of("every keyword on a line", PREFIXES.join("\n")),
		of("bearers", "bearer a1B2c3D4"),
		of("a chain of tokens", vendorSecrets()[11]?.[1] ?? ""),
		...nearMisses(length),
	];
}

/** What may stand between two keywords, and let one rule read on where another begins. */
const SEPARATORS: readonly string[] = [
	"",
	".",
	"-",
	"_",
	"=",
	":",
	" ",
	'"',
	"'",
	"\\n",
	"\n",
	"+",
	"/",
	"%",
	"@",
	">",
	"~",
	'="',
	": ",
	"\n\t",
	"a1B2",
	"a1B2.",
	"a1B2-",
	"\u001b[31m",
	"a".repeat(40),
];

/** As a vendor writes them where that matters, and in lower case. */
const BEGINNINGS: readonly string[] = [
	...new Set([
		...keywords,
		...PREFIXES,
		"eyJ",
		"eyJhIjp-",
		"eyJhIjoiYWF-",
		"eyJhbGciOiJIUzI1NiJ9",
		"AKIA",
		"-----BEGIN PRIVATE KEY-----",
		"Private-Lines: 99",
	]),
];

/** Texts of about a length of nothing but a keyword and a separator, for each of both. */
export function* keywordTexts(length: number): Generator<readonly [name: string, text: string]> {
	for (const keyword of BEGINNINGS) {
		for (const separator of SEPARATORS) {
			const unit = `${keyword}${separator}`;
			yield [JSON.stringify(unit), fill(unit, length)];
		}
	}
}
