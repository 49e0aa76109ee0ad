export interface FileRules {
	readonly writable: readonly string[];
	// Not writable, even below a writable path.
	readonly readOnly: readonly string[];
	// Directories look empty, files cannot be read.
	readonly hidden: readonly string[];
	// Directories that look empty, except for what is visible in them.
	readonly closed?: readonly string[];
	// In closed directories.
	readonly visible?: readonly string[];
}

export interface RuntimePrograms {
	readonly bwrapPath?: string;
	readonly socatPath?: string;
}

export interface RuntimeSettings {
	// Such as `api.example.com`, `*.example.com` or `127.0.0.1:11434`.
	readonly allowHosts: readonly string[];
	readonly unixSockets: boolean;
	readonly programs: RuntimePrograms;
}

// Gets one reply with its id; the command is for `sh -c`.
export type RuntimeQuestion =
	| { readonly kind: "open"; readonly settings: RuntimeSettings }
	| { readonly kind: "wrap"; readonly command: string; readonly rules: FileRules };

// After `close` the helper ends and keeps its directories; when it loses Sparring without one, it removes them.
export type RuntimeRequest =
	| (RuntimeQuestion & { readonly id: number })
	| { readonly kind: "done" }
	| { readonly kind: "close" };

export type RuntimeReply = { readonly id: number } & (
	| { readonly kind: "opened"; readonly warnings: readonly string[] }
	/** A simple command for `sh -c`, which may follow `exec`. */
	| { readonly kind: "wrapped"; readonly command: string }
	/** `missing`: the optional package is not installed. */
	| { readonly kind: "failed"; readonly missing: boolean; readonly message: string }
);
