/** Variables that hold a key of a provider of opencode's, the common ones; it knows many more. */
export const OPENCODE_KEYS: readonly string[] = [
	"ANTHROPIC_API_KEY",
	"OPENAI_API_KEY",
	"GOOGLE_GENERATIVE_AI_API_KEY",
	"GEMINI_API_KEY",
	"OPENROUTER_API_KEY",
	"OPENCODE_API_KEY",
	"DEEPSEEK_API_KEY",
	"GROQ_API_KEY",
	"MISTRAL_API_KEY",
	"XAI_API_KEY",
];
