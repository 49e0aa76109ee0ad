/** A source of numbers that are the same in every run: Lehmer's, with the multiplier 48271. */
function numbers(): () => number {
	let state = 4_711;
	return () => {
		state = (state * 48_271) % 2_147_483_647;
		return state;
	};
}

const next = numbers();

/** Characters of a kind. Made here, so that no file holds a text that scanners take for a secret. */
function pick(characters: string, length: number): string {
	return Array.from({ length }, () => characters[next() % characters.length]).join("");
}

const UPPER = "ABCDEFGHIJKLMNOPQRSTUVWXYZ";
const LETTERS: string = UPPER + UPPER.toLowerCase();
const ALNUM = `${LETTERS}0123456789`;
const HEX = "0123456789abcdef";

/** Letters and digits that are mixed for sure. */
const mixed = (length: number): string => `a1B${pick(ALNUM, length - 3)}`;

/** A PEM block whose body starts as real keys do. */
function pem(label: string): string {
	const body = `MII${pick(`${ALNUM}+/`, 61)}\n${pick(ALNUM, 64)}\n${pick(ALNUM, 40)}==`;
	return `-----BEGIN ${label}-----\n${body}\n-----END ${label}-----`;
}

function jsonWebToken(): string {
	const part = (value: object): string => Buffer.from(JSON.stringify(value)).toString("base64url");
	return `${part({ alg: "HS256", typ: "JWT" })}.${part({ sub: pick(HEX, 12) })}.${mixed(43)}`;
}

/** JSON in base64 that ends with its brace, as 1Password writes it. */
function serviceAccountToken(): string {
	const json = JSON.stringify({ email: "me@x.example", muk: { k: pick(ALNUM, 80) } });
	const padded = json.replace('"muk"', `${" ".repeat((4 - (json.length % 3)) % 3)}"muk"`);
	return `ops_${Buffer.from(padded).toString("base64")}`;
}

/** A secret of each vendor's form, by the rule that names its mark. */
export function vendorSecrets(): readonly (readonly [rule: string, secret: string])[] {
	return [
		["google", `AIza${mixed(35)}`],
		["google", `GOCSPX-${mixed(28)}`],
		["google", `ya29.${mixed(60)}`],
		["stripe", `sk_live_${mixed(24)}`],
		["stripe", `rk_test_${mixed(99)}`],
		["stripe", `whsec_${mixed(32)}`],
		["aws", `AKIA7${pick(`${UPPER}234567`, 15)}`],
		["anthropic", `sk-ant-api03-${mixed(93)}AA`],
		["openai", `sk-proj-${mixed(74)}T3BlbkFJ${mixed(74)}`],
		["openai", `sk-${mixed(20)}T3BlbkFJ${mixed(20)}`],
		["openrouter", `sk-or-v1-${pick(HEX, 64)}`],
		["github", `ghp_${mixed(36)}`],
		["github", `github_pat_${mixed(22)}_${mixed(59)}`],
		["gitlab", `glpat-${mixed(20)}`],
		["npm", `npm_${mixed(36)}`],
		["pypi", `pypi-AgEIcHlwaS5vcmc${mixed(80)}`],
		["slack", `xoxb-123456789012-123456789012-${mixed(24)}`],
		["slack", `https://hooks.slack.com/services/T${mixed(9)}/B${mixed(9)}/${mixed(24)}`],
		["huggingface", `hf_a${pick(LETTERS, 33)}`],
		["groq", `gsk_${mixed(52)}`],
		["xai", `xai-${mixed(80)}`],
		["sendgrid", `SG.${mixed(22)}.${mixed(43)}`],
		["digitalocean", `dop_v1_${pick(HEX, 64)}`],
		["shopify", `shpat_${mixed(32)}`],
		["hashicorp-vault", `hvs.${mixed(95)}`],
		["linear", `lin_api_${mixed(40)}`],
		["notion", `ntn_12345678901${mixed(35)}`],
		["grafana", `glsa_${mixed(32)}_${pick(HEX, 8)}`],
		["grafana", `glc_${mixed(60)}`],
		["vercel", `vcp_${mixed(24)}`],
		["databricks", `dapi${pick(HEX, 32)}`],
		["docker", `dckr_pat_${mixed(27)}`],
		["figma", `figd_${mixed(40)}`],
		["cloudflare", `cfut_${mixed(40)}${pick(HEX, 8)}`],
		["tailscale", `tskey-auth-${mixed(17)}-${mixed(32)}`],
		["1password", serviceAccountToken()],
		["supabase", `sbp_${pick(HEX, 40)}`],
		["telegram", `123456789:AA${mixed(33)}`],
		["jwt", jsonWebToken()],
		["private-key", pem("PRIVATE KEY")],
		["private-key", pem("RSA PRIVATE KEY")],
		["private-key", pem("OPENSSH PRIVATE KEY")],
	];
}

/** Texts with a secret that shows by its place alone. */
export function contextualSecrets(): readonly (readonly [text: string, secret: string])[] {
	const secret = "Zx9cv8Kq7mQ4r2T6yU1iO3pW";
	const aws = "wJ7lrXUtnFEM1/K7MDENG/bPxRf1CYq8Zk3Lw0Vd";
	const within = (text: string): readonly [string, string] => [text, secret];
	return [
		within(`password = "${secret}"`),
		within(`api_key: '${secret}'`),
		within(`const apiKey: string = \`${secret}\`;`),
		within(`SECRET=${secret}`),
		within(`export DB_PASS=${secret}\n`),
		within(`{"clientSecret": "${secret}"}`),
		within(JSON.stringify(JSON.stringify({ clientSecret: secret }))),
		within(`"{\\"token\\":\\"${secret}\\",\\"a\\":1}"`),
		within(`auth_token => '${secret}'`),
		within(`tool --access-key ${secret} x`),
		within(`tool --password=${secret}`),
		within(`<password>${secret}</password>`),
		within(`https://host.example/x?access_token=${secret}&b=1`),
		within(`password:\n    "${secret}"`),
		within(`Authorization: Bearer ${secret}`),
		within(`authorization: token ${secret}`),
		within(`X-Api-Key: ${secret}`),
		within(`postgres://app:${secret}@db.example:5432/x`),
		within(`redis://:${secret}@cache`),
		within(`https://${secret}:x-oauth-basic@github.com/a/b`),
		within(`//registry.npmjs.org/:_authToken=${secret}`),
		within(`password = "${secret}`),
		[`aws_secret_access_key = ${aws}`, aws],
		[`DefaultEndpointsProtocol=https;AccountKey=${mixed(40)}${aws}ab12cd==;`, aws],
		[`Authorization: Basic ${Buffer.from(`me:${secret}`).toString("base64")}`, "bWU6"],
	];
}
