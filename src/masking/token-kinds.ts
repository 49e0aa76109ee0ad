/** A token with a fixed beginning, such as `ghp_` and 36 letters and digits. */
export interface TokenKind {
	readonly rule: string;
	/** Each of three characters or more. */
	readonly beginnings: readonly string[];
	/** Pattern of what follows. */
	readonly body: string;
	/** True: the beginning is an address or a name, which is not masked. */
	readonly isLabel: boolean;
	/** True: no token behind `-` or `_`, where its beginning is the end of a name. */
	readonly isAlone: boolean;
	/** Pattern of what belongs to the token before its beginning, such as the number of a Telegram bot. */
	readonly before: string;
}

/**
 * A kind on each line: the rule, its beginnings, the pattern of the rest, and perhaps a remark, two blanks apart.
 *
 * Written after the vendors' own descriptions of their tokens (GitHub's list of the patterns that its scan of secrets
 * supports names the pages), as of November 2026. Lengths leave room where a vendor promises none.
 *
 * @see https://docs.github.com/en/code-security/secret-scanning/introduction/supported-secret-scanning-patterns
 */
const TABLE: string = String.raw`
	1password  ops_eyJ  [A-Za-z0-9+/=]{100,1300}
	age  AGE-SECRET-KEY-1  [A-Z0-9]{58}
	anthropic  sk-ant-  [\w-]{32,160}
	atlassian  ATATT3  [\w=-]{100,250}
	atlassian  ATBB  [A-Za-z0-9]{32}
	aws  A3T  [A-Z0-9]{17}
	aws  AKIA ASIA ABIA ACCA AGPA AIDA AROA AIPA ANPA ANVA  [A-Z0-9]{16}
	aws  ABSK  [A-Za-z0-9+/=]{100,280}
	azure  AccountKey= SharedAccessKey=  [A-Za-z0-9+/]{40,120}  label
	azure  sig=  [\w%+/=-]{43,80}  label
	azure  7Q~ 8Q~  [\w.~-]{31,34}  before \w{3}
	brevo  xkeysib- xsmtpsib-  [a-zA-Z0-9-]{81}
	buildkite  bkua_  [0-9a-f]{40}
	circleci  CCIPAT_ CCIPRJ_  \w{60,80}
	cloudflare  cfk_ cfut_ cfat_  [A-Za-z0-9]{48}
	databricks  dapi  [0-9a-fA-F]{32}
	digitalocean  dop_v1_ doo_v1_ dor_v1_  [0-9a-fA-F]{64}
	discord  discord.com/api/webhooks/ discordapp.com/api/webhooks/ discord.com/api/v10/webhooks/  [\w/@-]{78,140}  label
	docker  dckr_pat_  [\w-]{27}
	doppler  dp.pt. dp.st. dp.ct. dp.sa.  [\w.-]{40,64}
	figma  figd_  [\w-]{40,200}
	fly  fm2_  [A-Za-z0-9+/=]{100,1500}
	fly  fo1_  [\w-]{43}
	github  ghp_ gho_ ghu_ ghr_  \w{36,251}
	github  ghs_  [\w.-]{36,800}
	github  github_pat_  \w{50,244}
	gitlab  glpat- gldt- glrt- glrtr- glptt- glcbt- glsoat- glft- glffct- glimt- glagent- gloas-  [\w.-]{20,300}
	gitlab  GR1348941  [\w-]{20}
	google  AIza  [\w-]{35}
	google  GOCSPX-  [\w-]{28}
	google  ya29.  [\w.-]{24,1000}
	google  1//0  [\w-]{60,250}
	grafana  glsa_  \w{41}
	grafana  glc_  [A-Za-z0-9+/=]{32,402}
	groq  gsk_  [A-Za-z0-9]{52}
	hashicorp-vault  hvs. hvb. hvr.  [\w-]{24,300}
	heroku  HEROKU_API_KEY= heroku_api_key= HEROKU_API_KEY=" HEROKU_API_KEY":"  [0-9a-fA-F-]{36}  label
	heroku  HRKU-  [\w-]{36,80}
	huggingface  hf_  [A-Za-z0-9]{34,40}
	huggingface  api_org_  [A-Za-z0-9]{34}
	langsmith  lsv2_pt_ lsv2_sk_  \w{43}
	linear  lin_api_  \w{32,128}
	mailchimp  -us  \d{1,2}  before [0-9a-f]{32}
	mailgun  key-  [0-9a-f]{32}  alone
	microsoft-teams  webhook.office.com/webhookb2/ outlook.office.com/webhook/  [\w/@-]{110,240}  label
	netlify  nfp_  \w{36,40}
	new-relic  NRAK-  [A-Z0-9]{27}
	notion  ntn_  [A-Za-z0-9]{46}
	notion  secret_  [A-Za-z0-9]{43}  alone
	npm  npm_  [A-Za-z0-9]{36}
	openai  sk-proj- sk-svcacct- sk-admin-  [\w-]{32,300}
	openai  sk-  [A-Za-z0-9]{32,64}
	openrouter  sk-or-v1-  [0-9a-fA-F]{64}
	perplexity  pplx-  [A-Za-z0-9]{40,64}
	pinecone  pcsk_  \w{60,80}
	planetscale  pscale_tkn_ pscale_pw_ pscale_oauth_  [\w.-]{32,64}
	postman  PMAK-  [0-9a-fA-F-]{59}
	pulumi  pul-  [0-9a-f]{40}
	pypi  pypi-AgEI  [\w-]{50,400}
	replicate  r8_  [A-Za-z0-9]{37,40}
	resend  re_  [A-Za-z0-9]{8}_[A-Za-z0-9]{24}  alone
	rubygems  rubygems_  [0-9a-f]{48}
	sendgrid  SG.  [\w.-]{66}
	sentry  sntrys_  [\w+/=-]{60,300}
	sentry  sntryu_  [0-9a-fA-F]{64}
	shopify  shppa_ shpca_ shpat_ shpss_  [A-Za-z0-9]{32,64}
	slack  xoxb- xoxp- xoxa- xoxo- xoxr- xoxs- xoxe- xapp-  [A-Za-z0-9-]{20,300}
	slack  xoxc-  [a-f0-9-]{80,120}
	slack  xoxd-  [\w%+/=-]{40,300}
	slack  https://hooks.slack.com/services/  [\w/@-]{20,140}
	slack  hooks.slack.com/workflows/ hooks.slack.com/triggers/  [\w/@-]{40,120}  label
	square  sq0atp-  [\w-]{22}
	square  sq0csp-  [\w-]{43}
	stripe  sk_live_ sk_test_ rk_live_ rk_test_ sk_org_live_ sk_org_test_  [A-Za-z0-9]{16,247}
	stripe  whsec_  [A-Za-z0-9+/=]{32,64}
	supabase  sbp_ sbp_v0_  [0-9a-fA-F]{40}
	supabase  sb_secret_  [\w-]{28,60}
	tailscale  tskey-  [\w-]{27,123}
	telegram  :AA  [\w-]{33}  before \d{8,10}
	terraform  .atlasv1.  [\w-]{60,80}  before [A-Za-z0-9]{14}
	twilio  SK0 SK1 SK2 SK3 SK4 SK5 SK6 SK7 SK8 SK9 SKa SKb SKc SKd SKe SKf  [0-9a-f]{31}  alone
	vercel  vcp_ vci_ vca_ vcr_ vck_  [A-Za-z0-9]{20,60}
	xai  xai-  [A-Za-z0-9]{80}
`;

function kindOf(row: string): TokenKind {
	const [rule = "", beginnings = "", body = "", remark = ""] = row.trim().split("  ");
	const before = remark.startsWith("before ") ? remark.slice("before ".length) : "";
	const [isLabel, isAlone] = [remark === "label", remark === "alone"];
	return { rule, beginnings: beginnings.split(" "), body, isLabel, isAlone, before };
}

export const TOKEN_KINDS: readonly TokenKind[] = TABLE.trim().split("\n").map(kindOf);
