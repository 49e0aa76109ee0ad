/** A token with a fixed beginning, such as `ghp_` and 36 letters and digits. */
export interface TokenKind {
	readonly rule: string;
	/** Each of three characters or more. */
	readonly beginnings: readonly string[];
	/** Pattern of what follows. */
	readonly body: string;
	/** True: the beginning is an address or a name, which is not masked. */
	readonly isLabel?: true;
	/** True: no token behind `-` or `_`, where its beginning is the end of a name. */
	readonly isAlone?: true;
	/** Pattern of what belongs to the token before its beginning, such as the number of a Telegram bot. */
	readonly before?: string;
}

const ALNUM = "[A-Za-z0-9]";
const BASE64 = "[A-Za-z0-9+/=]";
const BASE64URL = "[\\w-]";
const DOTTED = "[\\w.-]";
const ESCAPED = "[\\w%+/=-]";
const HEX = "[0-9a-fA-F]";
const PATH = "[\\w/@-]";
const UPPER = "[A-Z0-9]";

const kind = (
	rule: string,
	beginnings: string,
	body: string,
	more: Pick<TokenKind, "isLabel" | "isAlone" | "before"> = {},
): TokenKind => ({ rule, beginnings: beginnings.split(" "), body, ...more });

const label = { isLabel: true } as const;
const alone = { isAlone: true } as const;

/**
 * Written after the vendors' own descriptions of their tokens (GitHub's list of the patterns that its scan of secrets
 * supports names the pages), as of November 2026. Lengths leave room where a vendor promises none.
 *
 * @see https://docs.github.com/en/code-security/secret-scanning/introduction/supported-secret-scanning-patterns
 */
export const TOKEN_KINDS: readonly TokenKind[] = [
	kind("google", "AIza", `${BASE64URL}{35}`),
	kind("google", "GOCSPX-", `${BASE64URL}{28}`),
	kind("google", "ya29.", `${DOTTED}{24,1000}`),
	kind("stripe", "sk_live_ sk_test_ rk_live_ rk_test_", `${ALNUM}{16,247}`),
	kind("stripe", "sk_org_live_ sk_org_test_", `${ALNUM}{24,247}`),
	kind("stripe", "whsec_", `${BASE64}{32,64}`),
	kind("aws", "A3T", `${UPPER}{17}`),
	kind("aws", "AKIA ASIA ABIA ACCA AGPA AIDA AROA AIPA ANPA ANVA", `${UPPER}{16}`),
	kind("anthropic", "sk-ant-", `${BASE64URL}{32,160}`),
	kind("openai", "sk-proj- sk-svcacct- sk-admin-", `${BASE64URL}{32,300}`),
	kind("openai", "sk-", `${ALNUM}{32,64}`),
	kind("openrouter", "sk-or-v1-", `${HEX}{64}`),
	kind("github", "ghp_ gho_ ghu_ ghr_", "\\w{36,251}"),
	kind("github", "ghs_", `${DOTTED}{36,800}`),
	kind("github", "github_pat_", "\\w{50,244}"),
	kind(
		"gitlab",
		"glpat- gldt- glrt- glrtr- glptt- glcbt- glsoat- glft- glffct- glimt- glagent- gloas-",
		`${DOTTED}{20,300}`,
	),
	kind("gitlab", "GR1348941", `${BASE64URL}{20}`),
	kind("npm", "npm_", `${ALNUM}{36}`),
	kind("npm", ":_authToken= :_auth=", `${ESCAPED}{16,300}`, label),
	kind("pypi", "pypi-AgEI", `${BASE64URL}{50,400}`),
	kind("slack", "xoxb- xoxp- xoxa- xoxo- xoxr- xoxs- xoxe- xapp-", "[A-Za-z0-9-]{20,300}"),
	kind("slack", "xoxc-", "[a-f0-9-]{80,120}"),
	kind("slack", "xoxd-", `${ESCAPED}{40,300}`),
	kind("slack", "https://hooks.slack.com/services/", `${PATH}{20,140}`),
	kind("slack", "hooks.slack.com/workflows/ hooks.slack.com/triggers/", `${PATH}{40,120}`, label),
	kind(
		"discord",
		"discord.com/api/webhooks/ discordapp.com/api/webhooks/ discord.com/api/v10/webhooks/",
		`${PATH}{78,140}`,
		label,
	),
	kind(
		"microsoft-teams",
		"webhook.office.com/webhookb2/ outlook.office.com/webhook/",
		`${PATH}{110,240}`,
		label,
	),
	kind("huggingface", "hf_", `${ALNUM}{34,40}`),
	kind("groq", "gsk_", `${ALNUM}{52}`),
	kind("xai", "xai-", `${ALNUM}{80}`),
	kind("replicate", "r8_", `${ALNUM}{37,40}`),
	kind("perplexity", "pplx-", `${ALNUM}{40,64}`),
	kind("sendgrid", "SG.", `${DOTTED}{66}`),
	kind("digitalocean", "dop_v1_ doo_v1_ dor_v1_", `${HEX}{64}`),
	kind("shopify", "shppa_ shpca_ shpat_ shpss_", `${ALNUM}{32,64}`),
	kind("hashicorp-vault", "hvs. hvb. hvr.", `${BASE64URL}{24,300}`),
	kind("linear", "lin_api_", "\\w{32,128}"),
	kind("notion", "ntn_", `${ALNUM}{46}`),
	kind("grafana", "glsa_", "\\w{41}"),
	kind("grafana", "glc_", `${BASE64}{32,402}`),
	kind("vercel", "vcp_ vci_ vca_ vcr_ vck_", `${ALNUM}{20,60}`),
	kind("databricks", "dapi", `${HEX}{32}`),
	kind("docker", "dckr_pat_", `${BASE64URL}{27}`),
	kind("figma", "figd_", `${BASE64URL}{40,200}`),
	kind("cloudflare", "cfk_ cfut_ cfat_", `${ALNUM}{48}`),
	kind("tailscale", "tskey-", `${BASE64URL}{27,123}`),
	kind("1password", "ops_eyJ", `${BASE64}{100,1300}`),
	kind("doppler", "dp.pt. dp.st. dp.ct. dp.sa.", `${DOTTED}{40,64}`),
	kind("supabase", "sbp_", `${HEX}{40}`),
	kind("age", "AGE-SECRET-KEY-1", `${UPPER}{58}`),
	kind("atlassian", "ATATT3", "[\\w=-]{100,250}"),
	kind("atlassian", "ATBB", `${ALNUM}{32}`),
	kind("telegram", ":AA", `${BASE64URL}{33}`, { before: "\\d{8,10}" }),
	kind("azure", "AccountKey= SharedAccessKey=", "[A-Za-z0-9+/]{40,120}", label),
	kind("azure", "sig=", `${ESCAPED}{43,80}`, label),
	kind("azure", "7Q~ 8Q~", "[\\w.~-]{31,34}", { before: "\\w{3}" }),
	kind("aws", "ABSK", `${BASE64}{100,280}`),
	kind("google", "1//0", `${BASE64URL}{60,250}`),
	kind("huggingface", "api_org_", `${ALNUM}{34}`),
	kind("heroku", "HEROKU_API_KEY heroku_api_key", `["']?[:=]["']?[0-9a-fA-F-]{36}`, label),
	kind("heroku", "HRKU-", `${BASE64URL}{36,80}`),
	kind("mailgun", "key-", `${HEX}{32}`, alone),
	kind("mailchimp", "-us", "\\d{1,2}", { before: `${HEX}{32}` }),
	kind(
		"twilio",
		"SK0 SK1 SK2 SK3 SK4 SK5 SK6 SK7 SK8 SK9 SKa SKb SKc SKd SKe SKf",
		`${HEX}{31}`,
		alone,
	),
	kind("sentry", "sntrys_", "[\\w+/=-]{60,300}"),
	kind("sentry", "sntryu_", `${HEX}{64}`),
	kind("new-relic", "NRAK-", `${UPPER}{27}`),
	kind("pulumi", "pul-", `${HEX}{40}`),
	kind("terraform", ".atlasv1.", `${BASE64URL}{60,80}`, { before: `${ALNUM}{14}` }),
	kind("postman", "PMAK-", "[0-9a-fA-F-]{59}"),
	kind("rubygems", "rubygems_", `${HEX}{48}`),
	kind("planetscale", "pscale_tkn_ pscale_pw_ pscale_oauth_", `${DOTTED}{32,64}`),
	kind("netlify", "nfp_", "\\w{36,40}"),
	kind("fly", "fm2_", `${BASE64}{100,1500}`),
	kind("fly", "fo1_", `${BASE64URL}{43}`),
	kind("langsmith", "lsv2_pt_ lsv2_sk_", "\\w{43}"),
	kind("pinecone", "pcsk_", "\\w{60,80}"),
	kind("resend", "re_", `${ALNUM}{8}_${ALNUM}{24}`, alone),
	kind("square", "sq0atp-", `${BASE64URL}{22}`),
	kind("square", "sq0csp-", `${BASE64URL}{43}`),
	kind("circleci", "CCIPAT_ CCIPRJ_", "\\w{60,80}"),
	kind("buildkite", "bkua_", `${HEX}{40}`),
	kind("brevo", "xkeysib- xsmtpsib-", "[a-zA-Z0-9-]{81}"),
	kind("supabase", "sb_secret_", `${BASE64URL}{28,60}`),
	kind("supabase", "sbp_v0_", `${HEX}{40}`),
	kind("notion", "secret_", `${ALNUM}{43}`, alone),
];
