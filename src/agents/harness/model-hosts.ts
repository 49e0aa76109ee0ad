/** Hosts of models and of the sign-in to them, by the models' maker. */
export const MODEL_HOSTS = {
	anthropic: ["api.anthropic.com", "*.anthropic.com", "claude.ai", "*.claude.com"],
	openai: ["api.openai.com", "auth.openai.com", "chatgpt.com"],
	google: [
		"generativelanguage.googleapis.com",
		"cloudcode-pa.googleapis.com",
		"oauth2.googleapis.com",
		"accounts.google.com",
		"aiplatform.googleapis.com",
	],
} as const;
