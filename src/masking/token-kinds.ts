import { at } from "./scanning.ts";

/** A token with a fixed beginning, such as `ghp_` and 36 letters and digits. */
export interface TokenKind {
	readonly rule: string;
	readonly prefixes: readonly string[];
	/** Reads the characters that stand in one, one more than it may have. */
	readonly run: RegExp;
	/** Characters after the prefix. A longer run is not a token of this kind. */
	readonly min: number;
	readonly max: number;
	/** True: the prefix is no part of the secret, so that it has one mark wherever it stands. */
	readonly label?: true;
	/** True: no token behind `-` or `_`, where its beginning is the end of a name. */
	readonly isAlone?: true;
	/** Characters of the token before the fixed part, such as the number of a Telegram bot. */
	readonly before?: { readonly characters: string; readonly min: number; readonly max: number };
	readonly shape?: RegExp;
}

const ALNUM = "A-Za-z0-9";
const WORD = "A-Za-z0-9_";
const BASE64 = "A-Za-z0-9+/=";
const BASE64URL = "A-Za-z0-9_-";
const DOTTED = "A-Za-z0-9_.-";
const HEX = "0-9a-fA-F";
const LOWER_HEX = "0-9a-f";
const DIGIT = "0-9";
const UPPER = "A-Z0-9";
const UUID = "0-9a-fA-F-";
const PATH = "A-Za-z0-9_/@-";
const ESCAPED = "A-Za-z0-9%_+/=-";

const kind = (
	rule: string,
	prefixes: string,
	characters: string,
	min: number,
	max: number = min,
): TokenKind => {
	const run = at(`[${characters}]{0,${max + 1}}`);
	return { rule, prefixes: prefixes.split(" "), run, min, max };
};

/** A kind whose prefix is not masked: an address or a name. */
const labelled = (...given: Parameters<typeof kind>): TokenKind => ({
	...kind(...given),
	label: true,
});

const alone = (...given: Parameters<typeof kind>): TokenKind => ({
	...kind(...given),
	isAlone: true,
});

/**
 * Written after the vendors' descriptions of their tokens. Lengths leave room where a vendor promises none.
 */
export const TOKEN_KINDS: readonly TokenKind[] = [
	kind("google", "AIza", BASE64URL, 35),
	kind("google", "GOCSPX-", BASE64URL, 28),
	kind("google", "ya29.", DOTTED, 24, 1_000),
	kind("stripe", "sk_live_ sk_test_ rk_live_ rk_test_", ALNUM, 16, 247),
	kind("stripe", "sk_org_live_ sk_org_test_", ALNUM, 24, 247),
	kind("stripe", "whsec_", BASE64, 32, 64),
	kind("aws", "A3T", UPPER, 17),
	kind("aws", "AKIA ASIA ABIA ACCA AGPA AIDA AROA AIPA ANPA ANVA", UPPER, 16),
	kind("anthropic", "sk-ant-", BASE64URL, 32, 160),
	kind("openai", "sk-proj- sk-svcacct- sk-admin-", BASE64URL, 32, 300),
	kind("openai", "sk-", ALNUM, 32, 64),
	kind("openrouter", "sk-or-v1-", HEX, 64),
	kind("github", "ghp_ gho_ ghu_ ghs_ ghr_", WORD, 36, 251),
	kind("github", "github_pat_", WORD, 50, 244),
	{
		...kind("github", "ghs_", DOTTED, 40, 800),
		shape: /^ghs_\d{1,20}_[\w-]+(?:\.[\w-]+){2}\.?$/,
	},
	kind(
		"gitlab",
		"glpat- gldt- glrt- glrtr- glptt- glcbt- glsoat- glft- glffct- glimt- glagent- gloas-",
		DOTTED,
		20,
		300,
	),
	kind("gitlab", "GR1348941", BASE64URL, 20),
	kind("npm", "npm_", ALNUM, 36),
	kind("pypi", "pypi-AgEI", BASE64URL, 50, 400),
	kind("slack", "xoxb- xoxp- xoxa- xoxo- xoxr- xoxs- xoxe- xapp-", "A-Za-z0-9-", 20, 300),
	kind("slack", "xoxc-", "a-f0-9-", 80, 120),
	kind("slack", "xoxd-", ESCAPED, 40, 300),
	kind("slack", "https://hooks.slack.com/services/", PATH, 20, 140),
	labelled("slack", "hooks.slack.com/workflows/ hooks.slack.com/triggers/", PATH, 40, 120),
	labelled(
		"discord",
		"discord.com/api/webhooks/ discordapp.com/api/webhooks/ discord.com/api/v10/webhooks/",
		PATH,
		78,
		140,
	),
	labelled(
		"microsoft-teams",
		"webhook.office.com/webhookb2/ outlook.office.com/webhook/",
		PATH,
		110,
		240,
	),
	kind("huggingface", "hf_", ALNUM, 34, 40),
	kind("groq", "gsk_", ALNUM, 52),
	kind("xai", "xai-", ALNUM, 80),
	kind("replicate", "r8_", ALNUM, 37, 40),
	kind("perplexity", "pplx-", ALNUM, 40, 64),
	kind("sendgrid", "SG.", DOTTED, 66),
	kind("digitalocean", "dop_v1_ doo_v1_ dor_v1_", HEX, 64),
	kind("shopify", "shppa_ shpca_ shpat_ shpss_", ALNUM, 32, 64),
	kind("hashicorp-vault", "hvs. hvb. hvr.", BASE64URL, 24, 300),
	kind("linear", "lin_api_", WORD, 32, 128),
	kind("notion", "ntn_", ALNUM, 46),
	kind("grafana", "glsa_", WORD, 41),
	kind("grafana", "glc_", BASE64, 32, 402),
	kind("vercel", "vcp_ vci_ vca_ vcr_ vck_", ALNUM, 20, 60),
	kind("databricks", "dapi", HEX, 32),
	kind("docker", "dckr_pat_", BASE64URL, 27),
	kind("figma", "figd_", BASE64URL, 40, 200),
	kind("cloudflare", "cfk_ cfut_ cfat_", ALNUM, 48),
	kind("tailscale", "tskey-", BASE64URL, 27, 123),
	kind("1password", "ops_eyJ", BASE64, 100, 1_300),
	kind("doppler", "dp.pt. dp.st. dp.ct. dp.sa.", DOTTED, 40, 64),
	kind("supabase", "sbp_", HEX, 40),
	kind("age", "AGE-SECRET-KEY-1", UPPER, 58),
	kind("atlassian", "ATATT3", "A-Za-z0-9_=-", 100, 250),
	kind("atlassian", "ATBB", ALNUM, 32),
	{ ...kind("telegram", ":AA", BASE64URL, 33), before: { characters: DIGIT, min: 8, max: 10 } },
	labelled("azure", "AccountKey= SharedAccessKey=", "A-Za-z0-9+/", 40, 120),
	labelled("azure", "sig=", ESCAPED, 43, 80),
	{
		...kind("azure", "7Q~ 8Q~", "A-Za-z0-9_.~-", 31, 34),
		before: { characters: WORD, min: 3, max: 3 },
	},
	kind("aws", "ABSK", BASE64, 100, 280),
	kind("google", "1//0", BASE64URL, 60, 250),
	kind("huggingface", "api_org_", ALNUM, 34),
	labelled("heroku", "HEROKU_API_KEY= heroku_api_key=", UUID, 36),
	labelled("heroku", 'HEROKU_API_KEY=" HEROKU_API_KEY":"', UUID, 36),
	kind("heroku", "HRKU-", BASE64URL, 36, 80),
	alone("mailgun", "key-", LOWER_HEX, 32),
	{
		...kind("mailchimp", "-us", DIGIT, 1, 2),
		before: { characters: LOWER_HEX, min: 32, max: 32 },
	},
	alone("twilio", "SK", LOWER_HEX, 32),
	kind("sentry", "sntrys_", "A-Za-z0-9_+/=-", 60, 300),
	kind("sentry", "sntryu_", HEX, 64),
	kind("new-relic", "NRAK-", UPPER, 27),
	kind("pulumi", "pul-", LOWER_HEX, 40),
	{
		...kind("terraform", ".atlasv1.", BASE64URL, 60, 80),
		before: { characters: ALNUM, min: 14, max: 14 },
	},
	kind("postman", "PMAK-", UUID, 59),
	kind("rubygems", "rubygems_", LOWER_HEX, 48),
	kind("planetscale", "pscale_tkn_ pscale_pw_ pscale_oauth_", DOTTED, 32, 64),
	kind("netlify", "nfp_", WORD, 36, 40),
	kind("fly", "fm2_", BASE64, 100, 1_500),
	kind("fly", "fo1_", BASE64URL, 43),
	kind("langsmith", "lsv2_pt_ lsv2_sk_", WORD, 43),
	kind("pinecone", "pcsk_", WORD, 60, 80),
	{ ...alone("resend", "re_", WORD, 33), shape: /^re_[A-Za-z0-9]{8}_[A-Za-z0-9]{24}$/ },
	kind("square", "sq0atp-", BASE64URL, 22),
	kind("square", "sq0csp-", BASE64URL, 43),
	kind("circleci", "CCIPAT_ CCIPRJ_", WORD, 60, 80),
	kind("buildkite", "bkua_", LOWER_HEX, 40),
	kind("brevo", "xkeysib- xsmtpsib-", "a-zA-Z0-9-", 81),
	kind("supabase", "sb_secret_", BASE64URL, 28, 60),
	kind("supabase", "sbp_v0_", LOWER_HEX, 40),
	alone("notion", "secret_", ALNUM, 43),
];
