import type { SQLOutputValue } from "node:sqlite";

/** Every table and index. Small columns stand before large ones: SQLite reads a row from its start. */
const TABLES = `
CREATE TABLE leases (
	run_id TEXT NOT NULL,
	scope TEXT NOT NULL,
	epoch INTEGER NOT NULL,
	pid INTEGER,
	host TEXT,
	boot TEXT,
	namespace TEXT,
	started TEXT,
	since INTEGER,
	beat INTEGER,
	PRIMARY KEY (run_id, scope)
) STRICT, WITHOUT ROWID;

CREATE TABLE runs (
	seq INTEGER PRIMARY KEY,
	run_id TEXT NOT NULL UNIQUE,
	status TEXT NOT NULL,
	cancel_requested INTEGER NOT NULL,
	pruned INTEGER NOT NULL,
	created_at TEXT NOT NULL,
	ended_at TEXT,
	base_branch TEXT NOT NULL,
	base_commit TEXT NOT NULL,
	branch TEXT NOT NULL,
	identity TEXT NOT NULL,
	landed_commit TEXT,
	record_file TEXT,
	workflow_name TEXT NOT NULL,
	workflow TEXT NOT NULL
) STRICT;

CREATE TABLE tasks (
	run_id TEXT NOT NULL REFERENCES runs (run_id),
	task_id TEXT NOT NULL,
	position INTEGER NOT NULL,
	status TEXT NOT NULL,
	phase TEXT NOT NULL,
	turns INTEGER NOT NULL,
	success INTEGER,
	failure_reason TEXT,
	flags TEXT NOT NULL,
	branch TEXT NOT NULL,
	start_commit TEXT,
	commit_id TEXT,
	merged INTEGER NOT NULL,
	merged_commit TEXT,
	challenger_approved INTEGER,
	gate TEXT,
	verification TEXT,
	open_findings INTEGER NOT NULL,
	human_item TEXT,
	started_at TEXT,
	ended_at TEXT,
	epoch INTEGER NOT NULL,
	bound INTEGER NOT NULL,
	subtask INTEGER NOT NULL,
	subtask_start INTEGER NOT NULL,
	confidence_score REAL,
	confidence_warnings TEXT NOT NULL,
	checklist TEXT NOT NULL,
	PRIMARY KEY (run_id, task_id)
) STRICT;
CREATE INDEX tasks_in_order ON tasks (run_id, position);

CREATE TABLE steps (
	run_id TEXT NOT NULL REFERENCES runs (run_id),
	task_id TEXT NOT NULL,
	turn INTEGER NOT NULL,
	step TEXT NOT NULL,
	result TEXT NOT NULL,
	PRIMARY KEY (run_id, task_id, turn, step)
) STRICT;

CREATE TABLE calls (
	seq INTEGER PRIMARY KEY,
	run_id TEXT NOT NULL REFERENCES runs (run_id),
	task_id TEXT NOT NULL,
	turn INTEGER NOT NULL,
	role TEXT NOT NULL,
	subtask TEXT,
	call INTEGER NOT NULL,
	agent TEXT NOT NULL,
	outcome TEXT NOT NULL,
	started_at TEXT NOT NULL,
	ms REAL NOT NULL,
	cost_usd REAL,
	usage TEXT,
	transcript_path TEXT,
	message TEXT,
	report TEXT,
	report_problem TEXT,
	checkout TEXT
) STRICT;
CREATE UNIQUE INDEX calls_once ON calls (run_id, task_id, turn, role, coalesce(subtask, ''), call);

CREATE TABLE turns (
	run_id TEXT NOT NULL REFERENCES runs (run_id),
	task_id TEXT NOT NULL,
	turn INTEGER NOT NULL,
	commit_id TEXT NOT NULL,
	tree TEXT NOT NULL,
	reviewed_from TEXT,
	raw TEXT,
	effective TEXT,
	exempt INTEGER NOT NULL,
	restarted INTEGER NOT NULL,
	route TEXT,
	reasons TEXT NOT NULL,
	open_issues TEXT NOT NULL,
	rationale TEXT NOT NULL,
	notes TEXT NOT NULL,
	concerns TEXT NOT NULL,
	claims TEXT,
	PRIMARY KEY (run_id, task_id, turn)
) STRICT;

CREATE TABLE evidence (
	seq INTEGER PRIMARY KEY AUTOINCREMENT,
	run_id TEXT NOT NULL REFERENCES runs (run_id),
	task_id TEXT NOT NULL,
	turn INTEGER NOT NULL,
	attempt INTEGER NOT NULL,
	check_name TEXT NOT NULL,
	item TEXT,
	purpose TEXT NOT NULL,
	kind TEXT NOT NULL,
	status TEXT NOT NULL,
	reason TEXT,
	tree TEXT NOT NULL,
	definition TEXT NOT NULL,
	exit_code INTEGER,
	started INTEGER NOT NULL,
	started_at TEXT NOT NULL,
	ms REAL NOT NULL,
	touched TEXT NOT NULL,
	counts TEXT,
	output_path TEXT,
	details TEXT NOT NULL,
	output_tail TEXT NOT NULL,
	UNIQUE (run_id, task_id, turn, check_name, purpose, attempt)
) STRICT;
CREATE INDEX evidence_of_tree ON evidence (run_id, tree, definition, seq) WHERE status IN ('pass', 'fail');
CREATE TABLE evidence_cases (
	evidence INTEGER PRIMARY KEY REFERENCES evidence (seq) ON DELETE CASCADE,
	cases TEXT NOT NULL
) STRICT;

CREATE TABLE findings (
	run_id TEXT NOT NULL REFERENCES runs (run_id),
	task_id TEXT NOT NULL,
	finding_id TEXT NOT NULL,
	ordinal INTEGER NOT NULL,
	live INTEGER NOT NULL,
	issue_key TEXT NOT NULL,
	severity TEXT NOT NULL,
	state TEXT NOT NULL,
	source TEXT NOT NULL,
	test TEXT,
	suspicion TEXT,
	late INTEGER NOT NULL,
	raised_turn INTEGER NOT NULL,
	changed_turn INTEGER NOT NULL,
	line INTEGER,
	file TEXT,
	criterion TEXT,
	issue TEXT NOT NULL,
	suggestion TEXT,
	dispute TEXT,
	subtask TEXT,
	ruling TEXT,
	PRIMARY KEY (run_id, task_id, finding_id),
	UNIQUE (run_id, task_id, ordinal)
) STRICT;
CREATE INDEX findings_live ON findings (run_id, task_id, ordinal) WHERE live = 1;
CREATE INDEX findings_by_issue ON findings (run_id, task_id, issue_key);

CREATE TABLE items (
	seq INTEGER PRIMARY KEY,
	item_id TEXT NOT NULL UNIQUE,
	run_id TEXT NOT NULL REFERENCES runs (run_id),
	task_id TEXT NOT NULL,
	trigger TEXT NOT NULL,
	status TEXT NOT NULL,
	consumed INTEGER NOT NULL,
	created_at TEXT NOT NULL,
	choices TEXT NOT NULL,
	reason TEXT NOT NULL,
	answer TEXT,
	parts TEXT,
	context TEXT NOT NULL
) STRICT;
CREATE UNIQUE INDEX items_one_open ON items (run_id, task_id) WHERE status IN ('PENDING', 'ACKED');
CREATE INDEX items_of_run ON items (run_id, seq);

CREATE TABLE events (
	id INTEGER PRIMARY KEY AUTOINCREMENT,
	run_id TEXT NOT NULL REFERENCES runs (run_id),
	task TEXT,
	turn INTEGER,
	node TEXT,
	type TEXT NOT NULL,
	timestamp TEXT NOT NULL,
	data TEXT NOT NULL
) STRICT;
CREATE INDEX events_of_run ON events (run_id, id);
CREATE INDEX events_of_task ON events (run_id, task, id);

CREATE TABLE evidence_figures (
	evidence INTEGER PRIMARY KEY REFERENCES evidence (seq) ON DELETE CASCADE,
	figures TEXT NOT NULL
) STRICT;

CREATE TABLE pair_sessions (
	run_id TEXT NOT NULL REFERENCES runs (run_id),
	task_id TEXT NOT NULL,
	digest TEXT,
	previous_digest TEXT,
	session TEXT NOT NULL,
	PRIMARY KEY (run_id, task_id)
) STRICT;

CREATE TABLE scores (
	seq INTEGER PRIMARY KEY,
	run_id TEXT NOT NULL REFERENCES runs (run_id),
	task_id TEXT NOT NULL,
	turn INTEGER NOT NULL,
	tree TEXT NOT NULL,
	agent TEXT NOT NULL,
	score REAL NOT NULL,
	gate TEXT,
	human TEXT,
	assembled TEXT,
	created_at TEXT NOT NULL,
	metrics TEXT NOT NULL,
	UNIQUE (run_id, task_id, turn)
) STRICT;

CREATE TABLE conflicts (
	conflict_id TEXT PRIMARY KEY,
	thread_id TEXT,
	task_id TEXT,
	developer_verdict TEXT,
	reviewer_verdict TEXT,
	resolution TEXT,
	tie_breaker_decision TEXT,
	rationale TEXT,
	escalation_reason TEXT,
	attempt_count INTEGER,
	resolved_at TEXT
) STRICT;

-- What an attempt in conflicts is about; seq is the order in which they were stored. One dispute is taken up once.
CREATE TABLE conflict_subjects (
	seq INTEGER PRIMARY KEY,
	conflict_id TEXT NOT NULL UNIQUE REFERENCES conflicts (conflict_id),
	run_id TEXT NOT NULL REFERENCES runs (run_id),
	task_id TEXT NOT NULL,
	finding_id TEXT NOT NULL,
	turn INTEGER NOT NULL,
	dispute_turn INTEGER NOT NULL,
	tie_breaker TEXT,
	paused INTEGER NOT NULL DEFAULT 0,
	UNIQUE (run_id, task_id, finding_id, dispute_turn)
) STRICT;
CREATE INDEX conflict_subjects_of_task ON conflict_subjects (run_id, task_id, seq);

-- What each run and task has used up.
CREATE TABLE run_spending (
	run_id TEXT PRIMARY KEY REFERENCES runs (run_id),
	held_ms REAL NOT NULL DEFAULT 0,
	added_usd REAL NOT NULL DEFAULT 0,
	added_wall_ms REAL NOT NULL DEFAULT 0,
	warned_usd INTEGER NOT NULL DEFAULT 0,
	warned_wall INTEGER NOT NULL DEFAULT 0
) STRICT, WITHOUT ROWID;

CREATE TABLE task_spending (
	run_id TEXT NOT NULL REFERENCES runs (run_id),
	task_id TEXT NOT NULL,
	calls INTEGER NOT NULL DEFAULT 0,
	unknown_calls INTEGER NOT NULL DEFAULT 0,
	cost_usd REAL,
	input_tokens REAL,
	output_tokens REAL,
	work_ms REAL NOT NULL DEFAULT 0,
	added_usd REAL NOT NULL DEFAULT 0,
	added_wall_ms REAL NOT NULL DEFAULT 0,
	warned_usd INTEGER NOT NULL DEFAULT 0,
	warned_wall INTEGER NOT NULL DEFAULT 0,
	PRIMARY KEY (run_id, task_id)
) STRICT, WITHOUT ROWID;

-- The checkpointer's. seq is the order of writing, body a checkpoint without its values.
CREATE TABLE checkpoints (
	seq INTEGER PRIMARY KEY AUTOINCREMENT,
	thread TEXT NOT NULL,
	ns TEXT NOT NULL,
	id TEXT NOT NULL,
	parent TEXT,
	body TEXT NOT NULL,
	meta TEXT NOT NULL,
	UNIQUE (thread, ns, id)
) STRICT;
CREATE INDEX checkpoints_newest ON checkpoints (thread, ns, seq);

CREATE TABLE channels (
	thread TEXT NOT NULL,
	ns TEXT NOT NULL,
	channel TEXT NOT NULL,
	version TEXT NOT NULL,
	type TEXT NOT NULL,
	value BLOB NOT NULL,
	PRIMARY KEY (thread, ns, channel, version)
) STRICT, WITHOUT ROWID;

CREATE TABLE pending_writes (
	thread TEXT NOT NULL,
	ns TEXT NOT NULL,
	id TEXT NOT NULL,
	path TEXT NOT NULL,
	task TEXT NOT NULL,
	idx INTEGER NOT NULL,
	channel TEXT NOT NULL,
	type TEXT NOT NULL,
	value BLOB NOT NULL,
	PRIMARY KEY (thread, ns, id, task, idx)
) STRICT, WITHOUT ROWID;
`;

/** `PRAGMA user_version` of the files that this program reads and writes. */
const VERSION = 1;

/** `PRAGMA application_id`: "SPAR" in ASCII. The programs of before the first release set none. */
const APPLICATION = 0x53504152;

/** What a file holds: nothing yet, the tables of this version, those of a later one, or something else. */
export type SchemaKind = "empty" | "current" | "newer" | "other";

/** As much of a connection as a look at its schema needs. */
interface Connection {
	get(sql: string): Readonly<Record<string, SQLOutputValue>> | undefined;
	exec(sql: string): void;
	immediate<T>(work: () => T): T;
}

/** One statement, so one state of the file: between two, another process may make the tables. */
const KIND = `SELECT application_id AS application, user_version AS version,
		EXISTS (SELECT 1 FROM sqlite_schema) AS used
	FROM pragma_application_id, pragma_user_version`;

export function schemaKind(db: Pick<Connection, "get">): SchemaKind {
	const found = db.get(KIND);
	const application = Number(found?.["application"]);
	const version = Number(found?.["version"]);
	if (application === APPLICATION && version >= VERSION)
		return version === VERSION ? "current" : "newer";
	const isUsed = Number(found?.["used"]) === 1;
	return application === 0 && version === 0 && !isUsed ? "empty" : "other";
}

/**
 * Makes the tables of an empty file, in one write transaction. Of several processes that open at once the first makes
 * them: the file is looked at again inside the transaction.
 */
export function createSchema(db: Connection): void {
	db.immediate(() => {
		if (schemaKind(db) !== "empty") return;
		db.exec(`${TABLES}PRAGMA application_id = ${APPLICATION}; PRAGMA user_version = ${VERSION};`);
	});
}
