export interface FileRules {
	readonly writable: readonly string[];
	/** Not writable, even below a writable path. */
	readonly readOnly: readonly string[];
	/** Directories look empty, files cannot be read. */
	readonly hidden: readonly string[];
	/** Directories that look empty, except for what is visible in them. Default none. */
	readonly closed?: readonly string[];
	/** Paths in closed directories that can be read. Default none. */
	readonly visible?: readonly string[];
}

/** Absolute paths of the programs that confine; empty outside of Linux. */
export interface RuntimePrograms {
	readonly bwrapPath?: string;
	readonly socatPath?: string;
}

/**
 * A request to the helper process. Each one except `"done"` and `"close"` gets one reply with its `id`. After `"close"`
 * the helper ends and keeps its directories; when it loses Sparring without one, it removes them.
 */
export type RuntimeRequest =
	| {
			readonly kind: "open";
			readonly id: number;
			/** Such as `api.example.com`, `*.example.com` or `127.0.0.1:11434`. */
			readonly allowHosts: readonly string[];
			readonly unixSockets: boolean;
			readonly programs: RuntimePrograms;
	  }
	| {
			readonly kind: "wrap";
			readonly id: number;
			/** For `sh -c`. */
			readonly command: string;
			readonly rules: FileRules;
	  }
	| { readonly kind: "done" }
	| { readonly kind: "close" };

export type RuntimeReply =
	| { readonly kind: "opened"; readonly id: number; readonly warnings: readonly string[] }
	/** A simple command for `sh -c`, which may follow `exec`. */
	| { readonly kind: "wrapped"; readonly id: number; readonly command: string }
	| {
			readonly kind: "failed";
			readonly id: number;
			/** True when the optional package is not installed. */
			readonly missing: boolean;
			readonly message: string;
	  };
