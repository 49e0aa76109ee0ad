import { readFileSync } from "node:fs";

/** The version of this package, such as `"0.1.0"`. */
export function version(): string {
	const text = readFileSync(new URL("../../package.json", import.meta.url), "utf8");
	const content: unknown = JSON.parse(text);
	const found =
		typeof content === "object" && content !== null && "version" in content
			? content.version
			: undefined;
	return typeof found === "string" ? found : "unknown";
}
