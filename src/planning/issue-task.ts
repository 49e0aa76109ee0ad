import { Fault } from "../kernel/fault.ts";
import { type Fields, fieldAt, fieldsOf, isFields, jsonIn } from "../kernel/fields.ts";
import { findProgram } from "../process/find-program.ts";
import { type ForgePlace, runForge } from "../process/forge-program.ts";
import { safeTaskId } from "../workflow/safe-name.ts";
import { splitCriteria, type TaskWords } from "../workflow/task-file.ts";

type ForgeName = "gh" | "glab";

export interface IssueReference {
	/** Null: of whichever forge the repository is on. */
	readonly forge: ForgeName | null;
	/** As the forge's program takes it. */
	readonly named: string;
}

/** `#12`, or the address of an issue on GitHub or GitLab; null for any other word. */
export function issueReference(word: string): IssueReference | null {
	const number = /^#(\d{1,12})$/.exec(word)?.[1];
	if (number !== undefined) return { forge: null, named: number };
	if (!/^https:\/\/[^\s/@]+\/(?:[\w.-]+\/)+issues\/\d{1,12}(?:[/?#]\S*)?$/.test(word)) return null;
	return { forge: /\/-\/issues\/\d+/.test(word) ? "glab" : "gh", named: word };
}

interface Issue {
	readonly number: number;
	readonly title: string;
	readonly body: string;
	readonly author: string;
	/** Null where the author belongs to the project; else why that is not known. */
	readonly stranger: string | null;
}

type Ask = (...args: readonly string[]) => Promise<{ readonly ok: boolean; readonly text: string }>;

/** A forge's program: its name, how it reads an issue, and its arguments to comment on one. */
interface Forge {
	readonly site: string;
	readonly home: string;
	readonly read: (ask: Ask, named: string, isTrusted: boolean) => Promise<Issue>;
	readonly comment: (text: string) => { readonly args: readonly string[]; readonly stdin: string };
}

const FORGES: Readonly<Record<ForgeName, Forge>> = {
	gh: {
		site: "GitHub",
		home: "https://cli.github.com",
		read: readGithub,
		comment: (stdin) => ({ args: ["comment", "--body-file", "-"], stdin }),
	},
	glab: {
		site: "GitLab",
		home: "https://gitlab.com/gitlab-org/cli",
		read: readGitlab,
		// It reads no file.
		comment: (text) => ({ args: ["note", "--message", text], stdin: "" }),
	},
};

function forgeFor({ forge }: IssueReference, { cwd, env }: ForgePlace) {
	const find = (name: ForgeName) => findProgram(name, env["PATH"] ?? "", cwd);
	const name = forge ?? (find("gh") === undefined && find("glab") !== undefined ? "glab" : "gh");
	const { site, home } = FORGES[name];
	const program = find(name);
	if (program !== undefined) return { name, program, ...FORGES[name] };
	throw new Fault(`${name} is not on the PATH, which reads issues of ${site}`, {
		code: "usage",
		hint: `Install it (${home}) and sign in: ${name} auth login. Or give the task in words: spar "TEXT"`,
	});
}

/**
 * Writes a comment below an issue.
 *
 * @param text Markdown, masked and escaped, of at most 60,000 bytes
 * @returns why it could not be written, in the words of the forge's program; null where it was
 */
export async function commentOnIssue(
	reference: IssueReference,
	text: string,
	place: ForgePlace,
): Promise<string | null> {
	const { comment, ...program } = forgeFor(reference, place);
	const {
		args: [verb = "", ...rest],
		stdin,
	} = comment(text);
	const said = await runForge(program, ["issue", verb, reference.named, ...rest], {
		...place,
		stdin,
	});
	return said.ok ? null : said.text;
}

/**
 * The task that an issue describes: its title and text, and as criteria what stands under "Acceptance criteria", else
 * the items of its checklist.
 *
 * @throws Fault `usage` without the forge's program, for an issue that it cannot read, and for an author who does not
 * belong to the project unless `isTrusted`
 */
export async function issueTask(
	reference: IssueReference,
	{ isTrusted, ...place }: ForgePlace & { readonly isTrusted: boolean },
): Promise<TaskWords & { readonly id: string }> {
	const forge = forgeFor(reference, place);
	const ask: Ask = (...args) => runForge(forge, args, place);
	const issue = await forge.read(ask, reference.named, isTrusted);
	if (issue.stranger !== null && !isTrusted)
		throw new Fault(`issue ${issue.number} was written by ${issue.author}: ${issue.stranger}`, {
			code: "usage",
			hint: "Anybody can write an issue, and agents do what it says. Read it; if it is what you want, add --trust-author.",
		});
	const { criteria, rest } = splitCriteria(issue.body);
	const listed = criteria.length > 0 ? criteria.map(({ text }) => text) : checklist(issue.body);
	return {
		id: safeTaskId(`issue ${issue.number} ${issue.title}`),
		description: `${issue.title}\n\n${rest}`.trim(),
		criteria: listed,
	};
}

const checklist = (body: string): string[] =>
	[...body.matchAll(/^\s*[-*+] \[[ xX]\] +(\S.*)$/gm)].map(([, item = ""]) => item.trim());

const BELONGS: ReadonlySet<string> = new Set(["OWNER", "MEMBER", "COLLABORATOR"]);

async function readGithub(ask: Ask, named: string, isTrusted: boolean): Promise<Issue> {
	const issue = await json(ask, ["issue", "view", named, "--json", "number,title,body,url,author"]);
	const number = Number(issue["number"]);
	const [, host = "", owner = "", name = ""] =
		/^https:\/\/([^/]+)\/([^/]+)\/([^/]+)\/issues\//.exec(textOf(issue["url"])) ?? [];
	const at = host === "github.com" || host === "" ? [] : ["--hostname", host];
	const call = ["api", ...at, `repos/${owner}/${name}/issues/${number}`];
	const said = isTrusted ? {} : await json(ask, call);
	const role = textOf(said["author_association"]) || "unknown";
	return {
		number,
		title: textOf(issue["title"]),
		body: textOf(issue["body"]),
		author: textOf(fieldAt(issue, "author", "login")) || "somebody",
		stranger: BELONGS.has(role)
			? null
			: `no owner, member or collaborator of ${owner}/${name} (${role})`,
	};
}

async function readGitlab(ask: Ask, named: string, isTrusted: boolean): Promise<Issue> {
	const issue = await json(ask, ["issue", "view", named, "--output", "json"]);
	const author = fieldsOf(issue["author"]);
	const host = /^https:\/\/([^/]+)\//.exec(textOf(issue["web_url"]))?.[1];
	const at = host === undefined ? [] : ["--hostname", host];
	const member = `projects/${Number(issue["project_id"])}/members/all/${Number(author["id"])}`;
	const isMember = isTrusted || (await ask("api", ...at, member)).ok;
	return {
		number: Number(issue["iid"]),
		title: textOf(issue["title"]),
		body: textOf(issue["description"]),
		author: textOf(author["username"]) || "somebody",
		stranger: isMember ? null : "no member of the project",
	};
}

const textOf = (value: unknown): string =>
	typeof value === "string" ? value.replaceAll("\r\n", "\n").replaceAll("\0", "") : "";

async function json(ask: Ask, args: readonly string[]): Promise<Fields> {
	const { ok, text } = await ask(...args);
	const value = ok ? jsonIn(text) : null;
	if (isFields(value)) return value;
	throw new Fault(`the issue cannot be read: ${ok ? "its answer is no JSON" : text}`, {
		code: "usage",
		hint: 'Check its number and that you are signed in, or give the task in words: spar "TEXT"',
	});
}
