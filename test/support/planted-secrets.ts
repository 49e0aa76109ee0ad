import { createHash } from "node:crypto";

/** A credential that is none, to be planted and looked for. */
export interface PlantedSecret {
	readonly kind: string;
	/** As it is written somewhere. One line, but for private keys. */
	readonly text: string;
	/** What may be found nowhere. */
	readonly needles: readonly string[];
}

const ALPHABET = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789";

/** Letters and digits that look random and are the same in every run. */
function letters(seed: string, length: number, alphabet: string = ALPHABET): string {
	let text = "";
	for (let block = 0; text.length < length; block += 1) {
		const bytes = createHash("sha512").update(`${seed}/${block}`).digest();
		text += [...bytes].map((byte) => alphabet.charAt(byte % alphabet.length)).join("");
	}
	return text.slice(0, length);
}

const half = (text: string): string[] => {
	const middle = Math.floor(text.length / 2);
	return [text.slice(0, middle), text.slice(middle)];
};

/** The value itself and both of its halves: one alone is too much. */
const single = (kind: string, value: string, text = value): PlantedSecret => ({
	kind,
	text,
	needles: [value, ...half(value)],
});

const base64url = (text: string): string => Buffer.from(text).toString("base64url");

function jwt(): PlantedSecret {
	const head = base64url('{"alg":"HS256","typ":"JWT"}');
	const body = base64url(`{"sub":"${letters("sub", 12)}","name":"Nobody","iat":1516239022}`);
	const signature = letters("jwt", 43);
	const value = [head, body, signature].join(".");
	return { kind: "JWT", text: value, needles: [value, body, signature] };
}

function pem(): PlantedSecret {
	const lines = Array.from({ length: 12 }, (_, at) => letters(`pem${at}`, 64));
	const frame = (word: string): string => ["-----", word, " RSA PRIVATE KEY-----"].join("");
	return {
		kind: "private key",
		text: [frame("BEGIN"), ...lines, frame("END")].join("\n"),
		needles: lines,
	};
}

/** The value of a variable whose name says that it is secret; holds what URLs and base64 spell otherwise. */
export const ENV_VALUE: string = `${letters("env", 14)}/+&=${letters("env2", 10)}`;

/** Stands in an option of a command of the workflow. */
export const CONFIG_VALUE: string = `cfg${letters("config", 20)}`;

/** Secrets that are known before anybody says them, in each spelling. */
export const KNOWN_SECRETS: readonly PlantedSecret[] = [
	single("value of the environment", ENV_VALUE),
	{
		kind: "its base64",
		text: Buffer.from(ENV_VALUE).toString("base64"),
		needles: [Buffer.from(ENV_VALUE).toString("base64").replace(/.{4}$/, "")],
	},
	{
		kind: "its URL encoding",
		text: `https://example.invalid/?q=${encodeURIComponent(ENV_VALUE)}`,
		needles: [encodeURIComponent(ENV_VALUE)],
	},
	single("value of the workflow file", CONFIG_VALUE),
];

/** Secrets that nobody knows beforehand, found by how they look. */
export const VENDOR_SECRETS: readonly PlantedSecret[] = [
	single("GitHub", ["ghp", letters("github", 36)].join("_")),
	single("Google", ["AIza", letters("google", 35)].join("")),
	single("Stripe", ["sk", "live", letters("stripe", 24)].join("_")),
	jwt(),
	single("AWS id", ["AKIA", letters("aws", 16, "ABCDEFGHIJKLMNOPQRSTUVWXYZ234567")].join("")),
	(() => {
		const value = letters("aws secret", 40);
		return single("AWS secret", value, ["aws_secret_access", `key = "${value}"`].join("_"));
	})(),
	pem(),
	single("Slack", ["xoxb", "123456789012", "1234567890123", letters("slack", 24)].join("-")),
	single("Anthropic", ["sk", "ant", "api03", `${letters("anthropic", 93)}AA`].join("-")),
	single(
		"OpenAI",
		["sk", "proj", `${letters("openai", 74)}T3BlbkFJ${letters("openai2", 74)}`].join("-"),
	),
	single("npm", ["npm", letters("npm", 36)].join("_")),
	(() => {
		const value = letters("password", 24);
		return single("password assignment", value, ["pass", `word = "${value}"`].join(""));
	})(),
];

/** Kinds of secrets that a text holds, whole or by half, whatever the case of its letters. */
export function secretsIn(
	bytes: Buffer | string,
	secrets: readonly PlantedSecret[],
): readonly string[] {
	const text = (typeof bytes === "string" ? bytes : bytes.toString("latin1")).toLowerCase();
	return secrets
		.filter(({ needles }) => needles.some((needle) => text.includes(needle.toLowerCase())))
		.map(({ kind }) => kind);
}
