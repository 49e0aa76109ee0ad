/** Modules that Python and pytest load early. No project has its own. */
const EARLY =
	/^(?:_pytest|pytest|pluggy|iniconfig|sitecustomize|usercustomize|unittest|abc|argparse|ast|bdb|builtins|codecs|collections|configparser|contextlib|copy|dataclasses|datetime|difflib|doctest|enum|fnmatch|functools|glob|importlib|inspect|io|itertools|json|linecache|logging|math|operator|os|pathlib|pdb|pickle|platform|pprint|random|re|shutil|signal|site|socket|string|struct|subprocess|sys|sysconfig|tempfile|textwrap|threading|time|tokenize|traceback|types|typing|uuid|warnings|weakref|xml|zipfile)$/;

const STANDARD =
	/^(?:array|asyncio|base64|bisect|calendar|cmath|concurrent|csv|decimal|email|errno|fractions|gc|getopt|getpass|gettext|gzip|hashlib|heapq|hmac|html|http|ipaddress|locale|marshal|mimetypes|multiprocessing|numbers|optparse|pkgutil|queue|runpy|sched|secrets|select|selectors|shelve|shlex|sqlite3|ssl|stat|statistics|tomllib|unicodedata|urllib|zlib|zoneinfo)(?:\/__init__)?\.pyc?$/;

/** Tells whether a path at the root has the name of a module that Python's library, pytest or what it needs has. */
export function isLibraryModule(path: string): boolean {
	const [first = ""] = path.replace(/\.pyc?$/, "").split("/");
	const isModule = path.includes("/") || /\.pyc?$/.test(path);
	return isModule && (EARLY.test(first) || STANDARD.test(path));
}
