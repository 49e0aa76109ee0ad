import type { BoundedChild, BoundedEnd } from "./bounded-child.ts";
import type { ProcessRequest, ProcessResult } from "./process.ts";

/** A call as it can be sent: what is heard of its output comes as messages. */
export interface SentCall {
	readonly request: Omit<ProcessRequest, "onStdout" | "onOutput">;
	readonly hearsStdout: boolean;
	readonly hearsOutput: boolean;
}

/** What the starter is asked. `id` is unique among the requests of a client. */
export type StarterRequest =
	| { readonly kind: "run"; readonly id: number; readonly child: Omit<BoundedChild, "signal"> }
	| { readonly kind: "call"; readonly id: number; readonly call: SentCall }
	| { readonly kind: "abort"; readonly id: number };

/** What the starter says of a request. */
export type StarterReply =
	| { readonly kind: "end"; readonly id: number; readonly end: BoundedEnd }
	| { readonly kind: "result"; readonly id: number; readonly result: ProcessResult }
	| {
			readonly kind: "heard";
			readonly id: number;
			readonly of: "stdout" | "output";
			readonly text: string;
	  }
	| {
			readonly kind: "error";
			readonly id: number;
			readonly message: string;
			readonly code: string | undefined;
	  };

/** All that the starter says: once that it is ready, and of each request how it ended, once. */
export type StarterMessage = { readonly kind: "ready" } | StarterReply;
