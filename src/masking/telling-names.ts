const words = (text: string): readonly string[] => text.split(" ");

const SECRETS: readonly string[] = words("pass pwd secret token credential");

const KEYS: readonly string[] = words(
	"api access private auth signing encryption enc master account shared session license app storage",
);

/**
 * Words of names whose value is a secret, in lower case, as they stand in texts.
 *
 * `_pat`, `_sk`, `_pw` and `pw` count at the end of a name only, `pw` as the whole name.
 */
export const TELLING: readonly string[] = [
	...SECRETS,
	...words("authorization _auth _pat _sk _pw pw api.key sessionid sessid"),
	"identified by",
	...KEYS.flatMap((kind) => [`${kind}key`, `${kind}_key`, `${kind}-key`]),
];

const OF_VARIABLES: ReadonlySet<string> = new Set([
	...SECRETS,
	...SECRETS.map((word) => `${word}s`),
	...words(
		"secretkey secretkeys password passwords passwd passphrase pw pat dsn jwt connectionstring key keys",
	),
	...KEYS.flatMap((kind) => [`${kind}key`, `${kind}keys`]),
]);

const ENDINGS: readonly string[] = [...OF_VARIABLES].filter((word) => word.length > 4);
const SHORT_ENDINGS = /^(?:my|pg|db|ftp|smtp|imap|mail|ldap|user|root|redis|mysql)(?:pass|pwd|pw)$/;

/**
 * Tells a secret's variable by its words in lower case: `["mysql", "pwd"]` and `["connection", "string"]`, not
 * `["oldpwd"]` or `["gopath"]`.
 */
export function isTellingVariable(name: readonly string[]): boolean {
	// The shell's own: the directory it is in.
	if (name.length === 1 && name[0] === "pwd") return false;
	return name.some((word, index) => {
		const both = word + (name[index + 1] ?? "");
		const isEnding = ENDINGS.some((each) => word.endsWith(each)) || SHORT_ENDINGS.test(word);
		return isEnding || OF_VARIABLES.has(word) || OF_VARIABLES.has(both);
	});
}

const HARMLESS =
	/(?:hash(?:es)?|sha\d*|digest|checksum|fingerprint|integrity|ids?|names?|types?|urls?|uris?|paths?|files?|arn|regexp?|patterns?|versions?|at|date|time|expiry|expires|endpoint|labels?|class(?:es)?|cls|refs?|kinds?|izers?|isation|ization|provider|prefix|suffix|address|addr|mint|fds|count|length|size|limit|algorithm|placeholder|seed|colou?r|shadow|managers?|scheme)$/i;

/** Before `token`: what goes through a list, stops something or identifies a library. */
const HARMLESS_BEFORE =
	/(?:public|public[-_.]?key|page|cancell?ation|continuation|sync|idempotency|render|surrogate)[-_.]?$/i;

/** After `pass` only what makes it a word for a secret, so that `passed` and `passenger` are not. */
const PASS_TAIL = /^(?:word|wd|phrase|code|$|[_.-]|\d)/i;

/** Words that stand for a secret only as the end of a name. */
const LAST = /^(?:_auth|_pat|_sk|_pw|pw|sessionid|sessid|identified by)$/;

/**
 * Tells whether a name with a telling word, between `before` and `tail`, is that of a secret: `"password"` followed by
 * `"_hash"` is not.
 */
export function isTellingName(before: string, keyword: string, tail: string): boolean {
	if (keyword === "pass" && !PASS_TAIL.test(tail)) return false;
	if (keyword === "pw" && /[A-Za-z0-9_-]$/.test(before)) return false;
	if (LAST.test(keyword) && tail !== "") return false;
	return !HARMLESS.test(tail) && !HARMLESS_BEFORE.test(before);
}
