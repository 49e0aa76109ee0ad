const CODES: Readonly<Record<number, string>> = {
	400: "invalid_request_error",
	401: "invalid_api_key",
	429: "rate_limit_exceeded",
};

/** The body of an error as OpenAI, and whoever is compatible with it, words it. */
export function openAiError(status: number, message: string): unknown {
	const code = CODES[status] ?? "server_error";
	return { error: { message, type: code, code, param: null } };
}
