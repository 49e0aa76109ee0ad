import { join } from "node:path";

/** Credentials of the user, and the stores of coding agents, by their usual place below the home directory. */
const CREDENTIALS: readonly string[] = [
	...[".ssh", ".gnupg", ".password-store", ".local/share/keyrings", ".netrc", ".git-credentials"],
	...[".config/git/credentials", ".config/gh", ".config/glab-cli", ".config/hub"],
	...[".aws", ".azure", ".kube", ".docker", ".config/gcloud", ".config/doctl", ".terraform.d"],
	...[
		".pypirc",
		".cargo/credentials.toml",
		".cargo/credentials",
		".gem/credentials",
		".vault-token",
	],
	...[".claude", ".claude.json", ".codex", ".gemini", ".qwen", ".pi", ".config/opencode"],
	...[".local/share/opencode", ".config/github-copilot", ".copilot"],
	...[".mozilla", ".config/google-chrome", ".config/chromium"],
];

/**
 * What a confined process cannot read: well-known stores of credentials in the home directory. A list, and no proof
 * that nothing else is secret there. `.npmrc` is left readable, since an installation cannot do without it.
 *
 * @param home absolute; undefined hides nothing
 */
export function hiddenPlaces(home: string | undefined): readonly string[] {
	return home === undefined || home === "" ? [] : CREDENTIALS.map((place) => join(home, place));
}
