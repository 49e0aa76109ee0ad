import type { BoundedChild, BoundedEnd } from "./bounded-child.ts";

/** What the starter is asked. `id` is unique among the requests of a client. */
export type StarterRequest =
	| { readonly kind: "run"; readonly id: number; readonly child: Omit<BoundedChild, "signal"> }
	| { readonly kind: "abort"; readonly id: number };

/** What the starter says: once that it is ready, and once for each `run` how that ended. */
export type StarterReply =
	| { readonly kind: "ready" }
	| { readonly kind: "end"; readonly id: number; readonly end: BoundedEnd }
	| {
			readonly kind: "error";
			readonly id: number;
			readonly message: string;
			readonly code: string | undefined;
	  };
