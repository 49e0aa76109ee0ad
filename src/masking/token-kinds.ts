import { ALNUM, type Alphabet, alphabet, BASE64, BASE64URL, WORD } from "./alphabet.ts";

/** A token with a fixed beginning, such as `ghp_` and 36 letters and digits. */
export interface TokenKind {
	readonly rule: string;
	readonly prefixes: readonly string[];
	readonly alphabet: Alphabet;
	/** Characters after the prefix. A longer run is no token of this kind. */
	readonly min: number;
	readonly max: number;
	/** True: the prefix is no part of the secret, so that it has one mark wherever it stands. */
	readonly label?: true;
}

const HEX = alphabet("0-9a-fA-F");
const UPPER = alphabet("A-Z0-9");
const DOTTED = alphabet("A-Za-z0-9_.-");

const kind = (
	rule: string,
	prefixes: string,
	set: Alphabet,
	min: number,
	max: number = min,
): TokenKind => ({ rule, prefixes: prefixes.split(" "), alphabet: set, min, max });

/**
 * Written after the vendors' descriptions of their tokens. Lengths leave room where a vendor promises none.
 */
export const TOKEN_KINDS: readonly TokenKind[] = [
	kind("google", "AIza", BASE64URL, 35),
	kind("google", "GOCSPX-", BASE64URL, 28),
	kind("google", "ya29.", DOTTED, 24, 1_000),
	kind("stripe", "sk_live_ sk_test_ rk_live_ rk_test_", ALNUM, 16, 247),
	kind("stripe", "whsec_", BASE64, 32, 64),
	kind("aws", "AKIA ASIA ABIA ACCA AGPA AIDA AROA AIPA ANPA ANVA", UPPER, 16),
	kind("anthropic", "sk-ant-", BASE64URL, 32, 160),
	kind("openai", "sk-proj- sk-svcacct- sk-admin-", BASE64URL, 32, 200),
	kind("openai", "sk-", ALNUM, 32, 64),
	kind("openrouter", "sk-or-v1-", HEX, 64),
	kind("github", "ghp_ gho_ ghu_ ghs_ ghr_", WORD, 36, 251),
	kind("github", "github_pat_", WORD, 50, 244),
	kind("gitlab", "glpat- gldt- glrt- glptt- glcbt- glsoat- glft- glimt- glagent-", DOTTED, 20, 300),
	kind("npm", "npm_", ALNUM, 36),
	kind("pypi", "pypi-AgEI", BASE64URL, 50, 400),
	kind("slack", "xoxb- xoxp- xoxa- xoxo- xoxr- xoxs- xoxe- xapp-", alphabet("A-Za-z0-9-"), 20, 300),
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
	kind("atlassian", "ATATT3", alphabet("A-Za-z0-9_=-"), 100, 250),
	kind("telegram", ":AA", BASE64URL, 33),
	{ ...kind("azure", "AccountKey= SharedAccessKey=", BASE64, 40, 120), label: true },
];
