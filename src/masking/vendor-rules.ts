import { createRequire } from "node:module";
import { isUrlPassword } from "./find-login.ts";
import { CONTEXT_RULE, type Finding, type Work } from "./finding.ts";
import { looksSecret } from "./looks-secret.ts";
import { isRandomToken } from "./randomness.ts";

/** What a rule of secretlint reports, as far as it is used. */
interface Report {
	readonly range: readonly [start: number, end: number];
	readonly message: { readonly messageId: string; readonly data: Readonly<Record<string, string>> };
}

/** A rule of secretlint, as far as it is used. */
export interface SecretlintRule {
	readonly meta: { readonly id: string };
	create(
		context: {
			readonly sharedOptions: object;
			createTranslator(): (messageId: string, data: object) => object;
			report(report: Report): void;
			ignore(): void;
		},
		options: object,
	): { file(source: { content: string; ext: string; filePath?: string }): unknown };
}

/** Which text announces a rule, and how far around it the rule has to look. In characters. */
interface Reach {
	readonly id: string;
	readonly keywords: readonly string[];
	readonly before: number;
	readonly after: number;
	/** For rules that look at the kind of a file. */
	readonly filePath?: string;
}

const reach = (id: string, keywords: string, after: number, before: number = 4): Reach => ({
	...{ id, keywords: keywords.toLowerCase().split(" "), before, after },
});

/**
 * The rules that are run, each on windows around its keywords.
 *
 * Every one matches a literal first and then runs of bounded length, so that a window bounds its work; `after` is
 * the longest match and something to see its end. Left out are `filter-comments`, by which a text could switch rules
 * off, `gcp`, which reads whole files, and `privatekey`, whose keys `findPrivateKey` finds with less.
 */
export const REACHES: readonly Reach[] = [
	reach("aws", "AKIA A3T AGPA AIDA AROA AIPA ANPA ANVA ASIA", 24),
	reach("aws", "secret_access_key secretaccesskey secret_accesskey secretaccess_key", 120, 8),
	reach("npm", "npm_", 48),
	reach("npm", ":x-oauth-basic@github.com", 40, 280),
	{ ...reach("npm", "_authToken=", 520), filePath: ".npmrc" },
	reach("basicauth", "http:// https:// ftp:// ftps://", 800),
	reach("slack", "xoxb- xoxp- xapp- xoxa- xoxo- xoxr-", 300),
	reach("slack", "https://hooks.slack.com/services/", 170),
	reach("sendgrid", "SG.", 400),
	reach("shopify", "shppa_ shpca_ shpat_ shpss_", 72),
	reach("stripe", "sk_live sk_test rk_live rk_test", 112),
	reach("github", "ghp_ gho_ ghu_ ghr_", 44),
	reach("github", "ghs_ github_pat_", 1_200),
	reach("gitlab", "glpat-", 140),
	reach("grafana", "glc_ glsa_", 412),
	reach("openai", "sk-", 184),
	reach("anthropic", "sk-ant-api0", 150),
	reach("groq", "gsk_", 60),
	reach("huggingface", "hf_", 40),
	reach("linear", "lin_api_", 140),
	reach("notion", "ntn_", 54),
	reach("1password", "ops_ey", 1_300),
	reach("database-connection-string", "mongodb mysql postgres", 1_020, 8),
	reach("hashicorp-vault", "hvs. hvb. hvr.", 308),
	reach("vercel", "vcp_ vci_ vca_ vcr_ vck_", 70),
	reach("databricks", "dapi", 42),
	reach("docker", "dckr_pat_", 40),
	reach("figma", "figd_", 210),
	reach("cloudflare", "cfk_ cfut_ cfat_", 58),
	reach("tailscale", "tskey-", 132),
];

/** Windows that touch become one, up to this size. In characters. */
const LARGEST_WINDOW = 16_384;

/** No secret: an account's number, that the rule for the ids of keys reports along with them. */
const HARMLESS = "AWSAccountID";

type Window = readonly [start: number, end: number];

/** Windows around places in rising order; each place has all of its reach in one of them. */
export function windowsAround(
	places: readonly number[],
	{ before, after }: { readonly before: number; readonly after: number },
	length: number,
): Window[] {
	const windows: [number, number][] = [];
	for (const place of places) {
		const start = Math.max(0, place - before);
		const end = Math.min(length, place + after);
		const last = windows.at(-1);
		if (last !== undefined && start <= last[1] && end - last[0] <= LARGEST_WINDOW) last[1] = end;
		else windows.push([start, end]);
	}
	return windows;
}

/** The package's rules. Loaded at the first keyword: most commands and most texts need none. */
export function secretlintRules(): readonly SecretlintRule[] {
	const require = createRequire(import.meta.url);
	// The package exports its rules under this name, of the documented shape; its own types are not installed with it.
	return (require("@secretlint/secretlint-rule-preset-recommend") as { rules: SecretlintRule[] })
		.rules;
}

type Run = (source: { content: string; ext: string; filePath?: string }) => readonly Report[];

/** A rule as a function; what it reports is there when the call returns. */
export function asFunction(rule: SecretlintRule): Run {
	let reports: Report[] = [];
	const context = {
		sharedOptions: {},
		createTranslator: () => (messageId: string, data: object) => ({ messageId, data }),
		report: (report: Report) => reports.push(report),
		ignore: () => undefined,
	};
	const made = rule.create(context, { enableIDScanRule: true });
	return (source) => {
		reports = [];
		made.file(source);
		return reports;
	};
}

const runs = new Map<string, Run>();

function runOf(id: string): Run {
	if (runs.size === 0) {
		for (const rule of secretlintRules()) {
			runs.set(rule.meta.id.replace("@secretlint/secretlint-rule-", ""), asFunction(rule));
		}
	}
	return runs.get(id) ?? (() => []);
}

/** The password of a URL that a rule reports as a whole; nothing when it is that of an example. */
function passwordOf(url: string): string {
	const login = url.slice(url.indexOf("://") + 3);
	const colon = login.indexOf(":");
	const password = login.slice(colon + 1, login.indexOf("@", colon));
	return isUrlPassword(password, login.slice(0, colon)) ? password : "";
}

const randomOnly = (value: string): string => (looksSecret(value, "bare") ? value : "");

/** Registries give tokens that are UUIDs, which elsewhere are no secrets. */
const UUID = /^[\da-f]{8}(?:-[\da-f]{4}){3}-[\da-f]{12}$/i;
const registryToken = (token: string): string => (UUID.test(token) ? token : randomOnly(token));

/** Rules whose find is a secret by what stands around it, and how it is cut out of what they report. */
const CONTEXTUAL: Readonly<Record<string, (reported: string) => string>> = {
	BasicAuth: passwordOf,
	MongoDBConnection: passwordOf,
	MySQLConnection: passwordOf,
	PostgreSQLConnection: passwordOf,
	AWSSecretAccessKey: randomOnly,
	PackageJSON_xOauthToken: (token) => randomOnly(token.slice(token.lastIndexOf("/") + 1)),
	Npmrc_authToken: (token) => registryToken(/^[\w.~+/=-]{0,512}/.exec(token)?.[0] ?? ""),
};

/** The range of a report is that of the match, which can hold more than the secret: its data tells what the secret is. */
function findingOf({ range, message }: Report, content: string, id: string): Finding | null {
	const [reported = ""] = Object.values(message.data);
	const cut = CONTEXTUAL[message.messageId];
	const value = cut === undefined ? reported : cut(reported);
	const start = content.indexOf(value, range[0]);
	// A quote or an escape in it would be the end of a text in JSON, which has to stay JSON.
	if (value === "" || /["\\]/.test(value) || start < 0) return null;
	if (message.messageId === HARMLESS) return null;
	if (cut !== undefined) return { start, end: start + value.length, rule: CONTEXT_RULE, value };
	return isRandomToken(value) ? { start, end: start + value.length, rule: id, value } : null;
}

/** What a rule finds around the places of its keywords, which are in rising order. */
export function findByVendorRule(
	text: string,
	{ id, filePath, ...around }: Reach,
	places: readonly number[],
	work: Work,
): Finding[] {
	const run = runOf(id);
	return windowsAround(places, around, text.length).flatMap(([from, to]) => {
		work.windows += 1;
		work.characters += to - from;
		const content = text.slice(from, to);
		const reports = run({ content, ext: "", ...(filePath === undefined ? {} : { filePath }) });
		return reports.flatMap((report) => {
			const found = findingOf(report, content, id);
			return found === null ? [] : [{ ...found, start: found.start + from, end: found.end + from }];
		});
	});
}
