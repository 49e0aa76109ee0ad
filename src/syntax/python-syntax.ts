import { isSyntaxNode, type SyntaxNode } from "./module-syntax.ts";

/** Runs Python's own parser: arguments behind `python3`, text for its standard input; null if it did not end well. */
export type PythonRunner = (args: readonly string[], input: string) => Promise<string | null>;

/**
 * Prints the trees of texts as JSON, null for a text that is no Python. Only the parser sees the texts; nothing of
 * them is run or imported.
 *
 * Nodes have the names of Python's `ast` (https://docs.python.org/3/library/ast.html), the type that a handler catches
 * is its field `caught`, and a constant says what it is in `of`. Offsets are in UTF-16 units. Nodes without a place
 * have that of what they stand in.
 */
const PRINTER = `
import ast, json, re, sys

def starts(text):
    return [0] + [found.end() for found in re.finditer("\\r\\n|\\r|\\n", text)]

def units(text):
    return len(text) if text.isascii() else len(text.encode("utf-16-le", "surrogatepass")) // 2

class Places:
    def __init__(self, text):
        self.lines = [text[a:b] for a, b in zip(starts(text), starts(text)[1:] + [len(text)])]
        self.at = [0]
        for line in self.lines:
            self.at.append(self.at[-1] + units(line))

    def of(self, line, column):
        text = self.lines[line - 1] if line <= len(self.lines) else ""
        before = text if text.isascii() else text.encode("utf-8", "surrogatepass")
        part = before[:column]
        return self.at[line - 1] + (column if text.isascii() else units(part.decode("utf-8", "surrogatepass")))

def plain(value):
    if isinstance(value, float) and (value != value or value in (float("inf"), float("-inf"))):
        return repr(value)
    return value if value is None or isinstance(value, (str, bool, float)) or (isinstance(value, int) and abs(value) < 2**53) else repr(value)

def shown(node, places, start, end):
    if isinstance(node, list):
        return [shown(each, places, start, end) for each in node]
    if not isinstance(node, ast.AST):
        return plain(node)
    if not node._fields:
        return type(node).__name__
    if hasattr(node, "lineno"):
        start = places.of(node.lineno, node.col_offset)
        end = places.of(node.end_lineno, node.end_col_offset)
    fields = {("caught" if name == "type" else name): shown(getattr(node, name, None), places, start, end) for name in node._fields if name not in ("ctx", "type_comment")}
    if isinstance(node, ast.Constant):
        fields["of"] = type(node.value).__name__
    return {**fields, "type": type(node).__name__, "start": start, "end": end}

def tree(text):
    try:
        return json.dumps(shown(ast.parse(text), Places(text), 0, units(text)))
    except (SyntaxError, ValueError, RecursionError, MemoryError, IndexError):
        return "null"

sys.setrecursionlimit(3000)
sys.stdout.write("[" + ",".join(tree(text) for text in json.loads(sys.stdin.read())) + "]")
`;

const MOST = 4_000_000;

/**
 * The trees of Python texts; null for each that cannot be read. A text that ends the parser takes the others of its
 * call with it, so these are asked about one by one then.
 */
export async function pythonTrees(
	texts: readonly string[],
	run: PythonRunner,
): Promise<(SyntaxNode | null)[]> {
	if (texts.length === 0) return [];
	const size = texts.reduce((sum, text) => sum + text.length, 0);
	// A list of the text's own would be as long; nothing is printed for what is not read.
	const printed =
		size > MOST ? null : await run(["-I", "-S", "-c", PRINTER], JSON.stringify(texts));
	const trees = printed === null ? null : listIn(printed);
	if (trees !== null) return texts.map((_, at) => (isSyntaxNode(trees[at]) ? trees[at] : null));
	if (texts.length === 1) return [null];
	const found: (SyntaxNode | null)[] = [];
	for (const text of texts) found.push(...(await pythonTrees([text], run)));
	return found;
}

function listIn(printed: string): readonly unknown[] | null {
	try {
		const value: unknown = JSON.parse(printed);
		return Array.isArray(value) ? value : null;
	} catch {
		return null;
	}
}
