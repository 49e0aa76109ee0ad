import type { ClientApp } from "@agentclientprotocol/sdk";
import { fieldsOf, wordsOf } from "../fields.ts";
import { quote } from "../quote.ts";
import type { Rights } from "../rights.ts";
import { type CallPlaces, mayChange, mayLookAt, writeInside } from "./path-guard.ts";
import { answerPermission, CHANGING, type PermissionAnswer } from "./permission.ts";
import type { SessionReader } from "./session-reader.ts";
import { MAX_PATHS, type ToolCallFacts } from "./tool-calls.ts";

type Sdk = typeof import("@agentclientprotocol/sdk");

/** The client's side of a session: answers what agents ask, by the rights of their seat. */
export interface ClientDesk {
	readonly rights: Rights;
	readonly places: CallPlaces;
	/** Told of every answer. */
	readonly reader: SessionReader;
	/** Aborted once the turn is cancelled, which also cancels open requests. */
	readonly off: AbortSignal;
}

async function whereIs(
	{ kinds, paths }: ToolCallFacts,
	{ places, off }: ClientDesk,
): Promise<"none" | "inside" | "outside"> {
	if (paths.length > MAX_PATHS) return "outside";
	if (paths.length === 0) return "none";
	const isAllowed = kinds.some((kind) => CHANGING.has(kind)) ? mayChange : mayLookAt;
	// One after another, so that many requests at once do not take all hands of the file system.
	for (const path of paths) {
		if (off.aborted || !(await isAllowed(path, places))) return "outside";
	}
	return "inside";
}

async function leaveFor(params: unknown, desk: ClientDesk): Promise<PermissionAnswer> {
	const { toolCall, options } = fieldsOf(params);
	const facts = desk.reader.tool(toolCall);
	const paths = await whereIs(facts, desk);
	const answer = desk.off.aborted
		? { optionId: null, refused: "the turn was cancelled" }
		: answerPermission(desk.rights, { kinds: [facts.kind, ...facts.kinds], paths, options });
	desk.reader.permission(facts, answer.refused);
	return answer;
}

/** Some agents write files through the client without asking whether it can; it is then their only way to a file. */
async function writeFor(sdk: Sdk, params: unknown, desk: ClientDesk): Promise<object> {
	const { path, content } = fieldsOf(params);
	const named = wordsOf(path);
	if (named === null || typeof content !== "string") throw sdk.RequestError.invalidParams();
	const mayWrite = desk.rights !== "read" && !desk.off.aborted;
	const isWritten = mayWrite && (await writeInside(desk.places.checkout, named, content));
	desk.reader.note(`${isWritten ? "wrote" : "refused to write"} ${quote(named)} for the agent`);
	if (isWritten) return {};
	throw sdk.RequestError.invalidParams(undefined, "this file may not be written");
}

/**
 * The client of the protocol: answers permission requests, and writes files of the checkout for agents of seats that
 * may write. Every other request is answered with "method not found".
 */
export function clientSide(sdk: Sdk, desk: ClientDesk): ClientApp {
	const raw = (params: unknown): unknown => params;
	const { session, fs } = sdk.methods.client;
	return sdk
		.client({ name: "sparring" })
		.onRequest<unknown, unknown>(session.requestPermission, raw, async ({ params }) => {
			const { optionId } = await leaveFor(params, desk);
			if (optionId === null) return { outcome: { outcome: "cancelled" } };
			return { outcome: { outcome: "selected", optionId } };
		})
		.onRequest<unknown, unknown>(fs.writeTextFile, raw, ({ params }) =>
			writeFor(sdk, params, desk),
		);
}
