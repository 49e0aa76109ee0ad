import { BRACES, fillTemplate, namesInTemplate } from "../kernel/fill-template.ts";
import { holdsPassword } from "../kernel/holds-password.ts";
import { quote } from "../kernel/quote.ts";
import { suggestion } from "../kernel/suggest.ts";
import { isWebhookHeader, webhookAddress } from "../kernel/webhook.ts";
import { type Field, isMapping, seatFields, type TaskField } from "./field.ts";
import { hasHuman, type RuleInput } from "./file-facts.ts";
import { END_VALUE_NAMES, ITEM_VALUE_NAMES } from "./limits.ts";
import type { Reporter } from "./reporter.ts";
import { nameProblem } from "./safe-name.ts";
import { UNTAGGED } from "./tags-of.ts";
import { MESSAGE_NAMES, taskSubject } from "./task-subject.ts";

/** Programs of the user's say what a call costs, or do not: a limit in dollars may have no effect. */
export function reportIdleBudgets(input: RuleInput): void {
	const { root, tasks } = input;
	reportIdleUsd(root.at("budget").at("usd"), input);
	for (const task of tasks)
		reportIdleUsd(task.field.at("budget").at("usd"), { ...input, tasks: [task] });
}

function reportIdleUsd(usd: Field, { tasks, chains, report }: RuleInput): void {
	if (!usd.present) return;
	const agents = tasks.flatMap(({ field }) => {
		const { player, coach } = seatFields(field);
		return [...chains.of(player.text), ...chains.of(coach.text)];
	});
	if (agents.length === 0 || agents.some((name) => chains.adapter(name) !== "command")) return;
	report.warning(
		usd,
		"budget.usd has no effect unless the programs in the seats report what their calls cost",
		"report it as `usage` (see the agent protocol), or limit the time with `wall`",
	);
}

const LABEL = /^[A-Za-z0-9_](?:[A-Za-z0-9_-]{0,61}[A-Za-z0-9_])?$/;

const LONGEST_HOST = 253;

export function reportSandbox({ root, report }: RuleInput): void {
	const sandbox = root.at("sandbox");
	const hosts = sandbox.at("allow_hosts");
	for (const { text, field } of hosts.texts()) {
		const problem = hostProblem(text);
		if (problem === undefined) continue;
		report.error(field, `allow_hosts: ${quote(text)} ${problem.message}`, problem.hint);
	}
	if (sandbox.at("mode").value !== "off") return;
	const sockets = sandbox.at("unix_sockets");
	if (hosts.items().length > 0) reportIdle("allow_hosts", hosts, report);
	if (sockets.value === true) reportIdle("unix_sockets", sockets, report);
}

function reportIdle(key: string, field: Field, report: Reporter): void {
	report.warning(
		field,
		`${key} has no effect: the sandbox is off`,
		`set \`mode: auto\`, or remove \`${key}\``,
	);
}

interface HostProblem {
	readonly message: string;
	readonly hint: string;
}

/**
 * Accepts a name with a dot, an IPv4 address, or `*.` and a name with a dot, each with `:` and a port when just that
 * one is meant; `localhost` needs its port.
 */
function hostProblem(entry: string): HostProblem | undefined {
	if (/^[a-z][a-z0-9+.-]*:\/\//i.test(entry) || entry.includes("/")) {
		const name = entry.replace(/^[a-z][a-z0-9+.-]*:\/\//i, "").replace(/\/.*$/s, "");
		return { message: "is an address, not a host", hint: `write the host only: ${quote(name)}` };
	}
	const colon = entry.indexOf(":");
	const host = colon === -1 ? entry : entry.slice(0, colon);
	if (colon !== -1 && !isPort(entry.slice(colon + 1)))
		return { message: "has no valid port after its colon", hint: "a number from 1 to 65535" };
	if (colon === -1 && /^(?:localhost|127\.0\.0\.1)$/i.test(host))
		return {
			message: "needs a port",
			hint: "name the port of the local service, such as localhost:11434",
		};
	return labelProblem(host);
}

const isPort = (text: string): boolean => /^[1-9]\d{0,4}$/.test(text) && Number(text) <= 65_535;

function labelProblem(host: string): HostProblem | undefined {
	const name = host.startsWith("*.") ? host.slice(2) : host;
	if (host === "*" || (name !== host && !name.includes(".")))
		return {
			message: "is too broad",
			hint: "name the hosts, or the subdomains of one: *.example.org",
		};
	const isName = name.length <= LONGEST_HOST && name.split(".").every((each) => LABEL.test(each));
	if (isName && (name.includes(".") || name.toLowerCase() === "localhost")) return undefined;
	return { message: "is not a valid host", hint: "such as registry.example.org or *.example.org" };
}

export function reportMergeMessage({ root, tasks, report }: RuleInput): void {
	const message = root.at("merge").at("message");
	const { text } = message;
	if (text === undefined) return;
	const known: readonly string[] = MESSAGE_NAMES;
	const unknown = [...text.matchAll(BRACES)].filter(([, name = ""]) => !known.includes(name));
	for (const { 0: placeholder, 1: name = "", index: from } of unknown)
		report.error(
			message,
			`unknown placeholder ${quote(placeholder)}: known are ${known.map((each) => `{${each}}`).join(", ")}`,
			suggestion(name, known),
			{ text, from },
		);
	if (unknown.length > 0) return;
	const empty = tasks.find(({ id, field }) => {
		if (field.at("formal_review").value === true) return false;
		const description = field.at("description").text ?? "";
		const featureId = field.at("feature_id").text;
		return taskSubject(text, { id, description, featureId }) === "";
	});
	if (empty === undefined) return;
	report.error(
		message,
		`the subject of task ${quote(empty.id)} would be empty`,
		"add words or {title}, or give the task what the placeholder names",
	);
}

/** Nothing of a task reaches those that depend on it, and a review would judge the base. One warning for each kind. */
export function reportUnmerged({ root, tasks, report }: RuleInput): void {
	if (root.at("merge").at("into").text !== "none") return;
	const dependants = tasks.filter(({ field }) => field.at("depends_on").texts().length > 0);
	const isReview = ({ field }: TaskField): boolean => field.at("formal_review").value === true;
	const review = dependants.find(isReview);
	const work = dependants.find((task) => !isReview(task));
	const hint = "merge into integration, which leaves the base branch alone until you land it";
	if (work !== undefined)
		report.warning(
			work.field.at("depends_on"),
			`task ${quote(work.id)} starts without the work of the tasks it depends on: merge.into is none`,
			hint,
		);
	if (review !== undefined)
		report.warning(
			review.field.at("depends_on"),
			`the formal review ${quote(review.id)} sees nothing of the tasks it depends on: merge.into is none`,
			hint,
		);
}

export function reportMachines({ root, report }: RuleInput): void {
	reportRemote(root.at("code").at("remote"), report);
	reportStore(root.at("store"), report);
	for (const { field: agent } of root.at("agents").entries()) reportTags(agent.at("tags"), report);
}

function reportRemote(remote: Field, report: Reporter): void {
	const { text } = remote;
	if (text === undefined || /^\w[\w./-]*$/.test(text)) return;
	report.error(
		remote,
		"code.remote must be the name of a git remote",
		"such as origin; `git remote -v` lists the names",
	);
}

function reportStore(store: Field, report: Reporter): void {
	const { text } = store;
	if (text === undefined) return;
	// The address itself is not shown: it may hold a password.
	if (URL.parse(text)?.protocol !== "postgres:")
		report.error(
			store,
			"store must be a postgres:// address",
			"such as postgres://spar@db.example.org/sparring",
		);
	else if (holdsPassword(text))
		report.error(
			store,
			"store must not contain a password",
			"give it outside of the file: in SPAR_STORE, in PGPASSWORD, or in a passfile (~/.pgpass)",
		);
}

function reportTags(tags: Field, report: Reporter): void {
	const seen = new Set<string>();
	for (const tag of tags.items()) {
		const { text } = tag;
		if (text === undefined) continue;
		const problem = nameProblem(text);
		if (problem !== undefined) report.error(tag, `tag ${quote(text)} ${problem}`);
		else if (text === UNTAGGED)
			report.error(
				tag,
				`a tag cannot be named ${quote(text)}`,
				"agents that any machine can run have no tags: remove it",
			);
		else if (seen.has(text)) report.error(tag, `tag ${quote(text)} is listed twice`);
		seen.add(text);
	}
}

const LISTS: readonly (readonly [key: string, names: readonly string[]])[] = [
	["on_created", ITEM_VALUE_NAMES],
	["on_t2_gate", ITEM_VALUE_NAMES],
	["on_end", END_VALUE_NAMES],
];

export function reportNotifiers({ root, report }: RuleInput): void {
	const notify = root.at("human").at("notify");
	for (const [key, names] of LISTS)
		for (const notifier of notify.at(key).items()) {
			const { value } = notifier.at("type");
			if (value === "command") reportCommand(notifier.at("run"), names, report);
			if (value === "webhook") reportWebhook(notifier, report);
		}
}

function reportCommand(run: Field, known: readonly string[], report: Reporter): void {
	for (const [index, word] of run.items().entries()) {
		const { text } = word;
		if (text === undefined) continue;
		for (const name of namesInTemplate(text)) {
			const within = { text, from: text.indexOf(`\${${name}}`) };
			if (index === 0)
				report.error(
					word,
					"the program of a notification cannot contain a placeholder",
					"write its name; placeholders are for the arguments",
					within,
				);
			else if (!known.includes(name))
				report.error(
					word,
					`unknown placeholder ${quote(`\${${name}}`)}`,
					suggestion(name, known),
					within,
				);
		}
	}
}

function reportWebhook(webhook: Field, report: Reporter): void {
	const url = webhook.at("url");
	const problem = url.text === undefined ? undefined : addressProblem(url.text);
	if (problem !== undefined)
		report.error(
			url,
			problem,
			"for example https://hooks.example.org/; write a secret part as a placeholder",
		);
	const headers = webhook.at("headers");
	if (!isMapping(headers.value)) return;
	for (const { key, field } of headers.entries())
		if (!isWebhookHeader(key))
			report.keyError(
				field,
				`the header ${quote(key)} cannot be set`,
				"name a valid header that the connection does not set itself",
			);
}

/**
 * Sees what can be seen before placeholders are filled. An address that one may still change up to its host is checked
 * when it is used.
 */
function addressProblem(address: string): string | undefined {
	const before = address.replace(/\$\{.*$/s, "");
	const isFixed = before === address || /^[a-z]+:\/\/[^/?#]+[/?#]/i.test(before);
	if (!isFixed) return undefined;
	const filled = fillTemplate(address, () => "x");
	const checked = webhookAddress(filled.kind === "filled" ? filled.text : address);
	return checked.kind === "refused" ? checked.reason : undefined;
}

export function reportIdleHumans({ tasks, facts, report }: RuleInput): void {
	for (const { field } of tasks) {
		const needed = field.at("requires_human");
		if (needed.value === true && !hasHuman(field, facts))
			report.warning(
				needed,
				"requires_human has no effect: human in the loop is off for this task",
				"set `overlays.hil.enabled: true` for the task, or `human.enabled: true`",
			);
	}
}
