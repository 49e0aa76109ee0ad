import { fillTemplate } from "../kernel/fill-template.ts";
import { END_VALUE_NAMES, ITEM_VALUE_NAMES } from "../kernel/item-value-names.ts";
import { isWebhookHeader, webhookAddress } from "../kernel/webhook.ts";
import { quote } from "./diagnostic.ts";
import type { Field } from "./field.ts";
import { isMapping } from "./field.ts";
import type { Reporter } from "./reporter.ts";
import { suggestion } from "./suggest.ts";

/** The lists of notifications, with the names that their commands can use. */
const LISTS: readonly (readonly [key: string, names: readonly string[]])[] = [
	["on_created", ITEM_VALUE_NAMES],
	["on_t2_gate", ITEM_VALUE_NAMES],
	["on_end", END_VALUE_NAMES],
];

/** Rules about `human.notify`: placeholders of commands, addresses and headers of webhooks. */
export function reportNotifiers(notify: Field, report: Reporter): void {
	for (const [key, names] of LISTS)
		for (const notifier of notify.at(key).items()) {
			const { value } = notifier.at("type");
			if (value === "command") reportCommand(notifier.at("run"), names, report);
			if (value === "webhook") reportWebhook(notifier, report);
		}
}

/** The names that a text takes values for. */
function namesIn(text: string): readonly string[] {
	const filled = fillTemplate(text, () => undefined);
	return filled.kind === "unknown" ? filled.names : [];
}

function reportCommand(run: Field, known: readonly string[], report: Reporter): void {
	for (const [index, word] of run.items().entries()) {
		const { text } = word;
		if (text === undefined) continue;
		for (const name of namesIn(text)) {
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
 * Why an address may not be posted to, as far as it can be seen before its placeholders are filled; undefined when it
 * may. An address that a placeholder may still change up to its host is checked when it is used.
 */
function addressProblem(address: string): string | undefined {
	const before = address.replace(/\$\{.*$/s, "");
	const isFixed = before === address || /^[a-z]+:\/\/[^/?#]+[/?#]/i.test(before);
	if (!isFixed) return undefined;
	const filled = fillTemplate(address, () => "x");
	const checked = webhookAddress(filled.kind === "filled" ? filled.text : address);
	return checked.kind === "refused" ? checked.reason : undefined;
}
