import type { ClientApp } from "@agentclientprotocol/sdk";
import type { Rights } from "../rights.ts";
import { type CallPlaces, mayChange, mayLookAt, writeInside } from "./path-guard.ts";
import { answerPermission, type PermissionAnswer } from "./permission.ts";
import type { SessionReader } from "./session-reader.ts";
import { quote, shapeOf, textOf } from "./shape.ts";
import { MAX_PATHS, type ToolCallFacts } from "./tool-calls.ts";

type Sdk = typeof import("@agentclientprotocol/sdk");

/** Tools of these kinds change what their paths name. */
const CHANGING: ReadonlySet<string | null> = new Set(["edit", "delete", "move"]);

/** Our side of a session: what agents ask of us, answered by the rights of their seat. */
export interface ClientDesk {
	readonly rights: Rights;
	readonly places: CallPlaces;
	/** Told of every answer. */
	readonly reader: SessionReader;
	/** Aborted once the turn was called off: open questions are then called off too. */
	readonly off: AbortSignal;
}

async function whereIs(
	{ kind, paths }: ToolCallFacts,
	places: CallPlaces,
): Promise<"none" | "inside" | "outside"> {
	if (paths.length > MAX_PATHS) return "outside";
	if (paths.length === 0) return "none";
	const isAllowed = CHANGING.has(kind) ? mayChange : mayLookAt;
	const answers = await Promise.all(paths.map((path) => isAllowed(path, places)));
	return answers.every(Boolean) ? "inside" : "outside";
}

async function leaveFor(params: unknown, desk: ClientDesk): Promise<PermissionAnswer> {
	const { toolCall, options } = shapeOf(params);
	const facts = desk.reader.tool(toolCall);
	const paths = await whereIs(facts, desk.places);
	const answer = desk.off.aborted
		? { optionId: null, refused: "the turn was called off" }
		: answerPermission(desk.rights, { kind: facts.kind, paths, options });
	desk.reader.permission(facts, answer.refused);
	return answer;
}

/** Some agents write through us without asking whether we can; it is their only way to a file then. */
async function writeFor(sdk: Sdk, params: unknown, desk: ClientDesk): Promise<object> {
	const { path, content } = shapeOf(params);
	const named = textOf(path);
	if (named === null || typeof content !== "string") throw sdk.RequestError.invalidParams();
	const mayWrite = desk.rights !== "read" && !desk.off.aborted;
	const isWritten = mayWrite && (await writeInside(desk.places.checkout, named, content));
	desk.reader.note(`${isWritten ? "wrote" : "refused to write"} ${quote(named)} for the agent`);
	if (isWritten) return {};
	throw sdk.RequestError.invalidParams(undefined, "this file may not be written");
}

/**
 * The client of the protocol: answers requests for leave, and writes files of the checkout for agents of seats that
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
