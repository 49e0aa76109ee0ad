/**
 * The tags of an option.
 *
 * @example `"gpu, linux"` gives `["gpu", "linux"]`; left out or blank gives `[]`
 */
export function tagList(text = ""): readonly string[] {
	return text
		.split(",")
		.map((tag) => tag.trim())
		.filter((tag) => tag !== "");
}
