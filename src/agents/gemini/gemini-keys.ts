/** Variables that hold a key for Gemini CLI: of Google AI Studio, and of Vertex AI. */
export const GEMINI_KEYS = ["GEMINI_API_KEY", "GOOGLE_API_KEY"] as const;
