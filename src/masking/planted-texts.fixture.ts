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
		["aws", `A3T7${pick(`${UPPER}234567`, 16)}`],
		["anthropic", `sk-ant-api03-${mixed(93)}AA`],
		["openai", `sk-proj-${mixed(74)}T3BlbkFJ${mixed(74)}`],
		["openai", `sk-${mixed(20)}T3BlbkFJ${mixed(20)}`],
		["openrouter", `sk-or-v1-${pick(HEX, 64)}`],
		["github", `ghp_${mixed(36)}`],
		["github", `ghs_4711_${mixed(40)}.${mixed(90)}.${mixed(43)}`],
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
		["gitlab", `glffct-${mixed(20)}`],
		["gitlab", `GR1348941${mixed(20)}`],
		["slack", `xoxc-123456789012-123456789012-${pick(HEX, 64)}`],
		["slack", `xoxd-${mixed(60)}%2B${mixed(40)}`],
		["azure", `a1B8Q~${mixed(34)}`],
		["aws", `ABSK${mixed(120)}`],
		["openai", `sk-proj-${mixed(124)}T3BlbkFJ${mixed(124)}`],
		["google", `1//0${mixed(96)}`],
		["heroku", `HRKU-${mixed(58)}`],
		["mailgun", `key-a1b${pick(HEX, 29)}`],
		["mailchimp", `a1b${pick(HEX, 29)}-us12`],
		["twilio", `SKa1b${pick(HEX, 29)}`],
		["sentry", `sntrys_eyJ${mixed(80)}=_${mixed(40)}`],
		["new-relic", `NRAK-A1B${pick(UPPER, 24)}`],
		["pulumi", `pul-a1b${pick(HEX, 37)}`],
		["terraform", `${mixed(14)}.atlasv1.${mixed(64)}`],
		["postman", `PMAK-${pick(HEX, 24)}-${pick(HEX, 34)}`],
		["rubygems", `rubygems_a1b${pick(HEX, 45)}`],
		["planetscale", `pscale_tkn_${mixed(43)}`],
		["netlify", `nfp_${mixed(36)}`],
		["fly", `fm2_${mixed(200)}`],
		["langsmith", `lsv2_pt_a1b${pick(HEX, 29)}_${pick(HEX, 10)}`],
		["pinecone", `pcsk_${mixed(6)}_${mixed(63)}`],
		["resend", `re_${mixed(8)}_${mixed(24)}`],
		["stripe", `sk_org_live_${mixed(60)}`],
		["square", `sq0csp-${mixed(43)}`],
		["circleci", `CCIPAT_${mixed(22)}_${pick(HEX, 40)}`],
		["buildkite", `bkua_a1b${pick(HEX, 37)}`],
		["brevo", `xkeysib-a1b${pick(HEX, 61)}-${mixed(16)}`],
		["supabase", `sb_secret_${mixed(22)}_${mixed(8)}`],
		["notion", `secret_${mixed(43)}`],
		["jwt", jsonWebToken()],
		["private-key", pem("PRIVATE KEY")],
		["private-key", pem("RSA PRIVATE KEY")],
		["private-key", pem("OPENSSH PRIVATE KEY")],
	];
}

/** Texts with a secret of a vendor's form behind an address or a name that stays. */
export function labelledSecrets(): readonly (readonly [
	rule: string,
	text: string,
	secret: string,
])[] {
	const uuid = `a1b2c3d4-${pick(HEX, 4)}-4${pick(HEX, 3)}-8${pick(HEX, 3)}-${pick(HEX, 12)}`;
	const slack = `T${mixed(9)}/A${mixed(9)}/123456789012345678/${mixed(24)}`;
	const discord = `123456789012345678/${mixed(68)}`;
	const teams = `${uuid}@${uuid}/IncomingWebhook/${pick(HEX, 32)}/${uuid}`;
	const sas = `${mixed(42)}%3D`;
	const key = mixed(86);
	return [
		["slack", `https://hooks.slack.com/workflows/${slack}`, slack],
		["discord", `https://discord.com/api/webhooks/${discord}`, discord],
		["microsoft-teams", `https://x.webhook.office.com/webhookb2/${teams}`, teams],
		["azure", `https://x.blob.core.windows.net/c?sv=2022&sig=${sas}&se=2`, sas],
		["azure", `Endpoint=sb://x/;SharedAccessKey=${key}=`, key],
		["heroku", `HEROKU_API_KEY=${uuid}`, uuid],
		["secret", `//registry.npmjs.org/:_authToken=${uuid}`, uuid],
	];
}

/** A key as PuTTY writes it, and its private lines. */
export function puttyKey(): readonly [text: string, lines: readonly string[]] {
	const lines = [mixed(64), `${mixed(45)}=`];
	const head = `PuTTY-User-Key-File-3: ssh-ed25519\nEncryption: none\nComment: x\nPublic-Lines: 1\nAAAA`;
	const text = `${head}\nPrivate-Lines: 2\n${lines.join("\n")}\nPrivate-MAC: ${pick(HEX, 64)}\n`;
	return [text, lines];
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
		within(`https://registry.npmjs.org/:_authToken=${secret}`),
		within(`jdbc:mysql://app:${secret}@db.host/x`),
		["mongodb+srv://app:Zx9(cv)8bn@db.host/x", "Zx9(cv)8bn"],
		["https://me:Zx9cv8bn7m@host.test/y", "Zx9cv8bn7m"],
		[`AWS_SECRET_ACCESS_KEY="${aws}"`, aws],
		within(`password = "${secret}`),
		[`aws_secret_access_key = ${aws}`, aws],
		[`DefaultEndpointsProtocol=https;AccountKey=${mixed(40)}${aws}ab12cd==;`, aws],
		[`Authorization: Basic ${Buffer.from(`me:${secret}`).toString("base64")}`, "bWU6"],
	];
}
