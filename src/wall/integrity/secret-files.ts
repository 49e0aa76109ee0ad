import { pathMatcher, shown } from "../../evidence/path-match.ts";
import type { FileChange } from "../../git/file-change.ts";
import type { IntegrityRules, TreePair } from "../reading/tree-pair.ts";
import { type Suspicion, suspicion } from "../suspicion.ts";

/**
 * Names under which programs keep a secret by default: variables of an environment, private keys of ssh and TLS, and
 * passwords of package registries, hosts and cloud providers. Short on purpose: what holds a secret under another name is
 * for masking and for the coach to see, and a name in this list is a question and no verdict.
 */
const SECRETS =
	/^(?:\.env(?:rc|[.-].+)?|.+\.env|id_[\w-]+|.+\.(?:pem|key|p12|pfx|ppk|jks|keystore|kdbx)|\.(?:netrc|pypirc|pgpass|git-credentials|htpasswd)|(?:client[_-])?secrets?(?:[._-][\w-]+)?\.(?:json|ya?ml|toml)|credentials(?:\.(?:json|ya?ml|toml|ini))?|service[_-]?account.*\.json)$/i;

const TEMPLATE = /[._-](?:example|sample|template|dist)(?:[._-]|$)/i;

/** Settings that hold a secret only now and then, and the line that does; one that takes it from a variable does not. */
const SETTINGS = /^\.(?:npmrc|yarnrc\.yml)$/;
const TOKEN = /(?:_authToken|_auth|_password|npmAuth\w+)\s*[=:]\s*(?!["']?\$\{)\S/;

/** Folders and settings in which programs keep secrets among other things. */
const FOLDERS =
	/(?:^|\/)\.(?:docker|kube|aws|ssh|m2|gnupg|pip|secrets|env[\w.-]*)\/|(?:^|\/)(?:\.secrets|pip\.conf|settings\.xml|[\w.-]+\.tfvars|\.envrc[\w.-]*|auth\.json)$/i;

/** New files that look like a secret's, but for those that the task names. */
export async function secretFiles(
	pair: Pick<TreePair, "changes" | "readHead">,
	{ told = [], allow = [] }: Pick<IntegrityRules, "told" | "allow">,
): Promise<Suspicion[]> {
	const gone = new Set(
		pair.changes.flatMap(({ kind, oldOid }) => (kind === "deleted" ? [oldOid] : [])),
	);
	const isAllowed = pathMatcher(allow.map(({ path }) => path));
	const found: Suspicion[] = [];
	for (const change of pair.changes) {
		const { kind, path: file, newOid } = change;
		if (kind !== "added" || gone.has(newOid) || isAllowed(file)) continue;
		if (!(await looksSecret(pair, change)) || isNamed(file, told)) continue;
		// Never its content: this is shown and sent to models.
		const text = `new file ${shown(file)}: programs keep secrets under this name`;
		found.push(suspicion({ rule: "secret_file", file, line: null, text }, [file, newOid]));
	}
	return found;
}

export async function copiedValues(
	pair: Pick<TreePair, "changes" | "readHead" | "readBase">,
	secrets: readonly string[],
): Promise<Suspicion[]> {
	const found: Suspicion[] = [];
	for (const { kind, path: file, newOid } of pair.changes) {
		const head = kind === "deleted" ? null : await pair.readHead(file);
		const base = kind === "added" ? null : await pair.readBase(file);
		if (!secrets.some((value) => head?.includes(value) && base?.includes(value) !== true)) continue;
		const text = `${shown(file)}: a value of a file that \`copy\` names`;
		found.push(suspicion({ rule: "copied_secret", file, line: null, text }, [file, newOid]));
	}
	return found;
}

async function looksSecret(
	{ readHead }: Pick<TreePair, "readHead">,
	{ path }: FileChange,
): Promise<boolean> {
	if (SETTINGS.test(nameOf(path))) return TOKEN.test((await readHead(path)) ?? "");
	return isSecretName(path);
}

/** Stands for the lines of such a file. */
export const UNSHOWN = "its lines are not shown: programs keep secrets there";

/** Tells whether programs keep secrets under the name of a file, whose content is never shown. */
export function isSecretName(path: string): boolean {
	const name = nameOf(path);
	return FOLDERS.test(path) || SETTINGS.test(name) || (SECRETS.test(name) && !TEMPLATE.test(name));
}

const nameOf = (path: string): string => path.slice(path.lastIndexOf("/") + 1);

/** Tells whether the task names a file, by its path or its name alone: not as a part of another name. */
function isNamed(file: string, told: readonly string[]): boolean {
	const quoted = [file, nameOf(file)].map((name) => RegExp.escape(name));
	const named = new RegExp(
		`(?<![\\w-]|[\\w.-]/)(?:\\./)?(?:${quoted.join("|")})(?![\\w/-]|\\.\\w)`,
	);
	return told.some((text) => named.test(text));
}
