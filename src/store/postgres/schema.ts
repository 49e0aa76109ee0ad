/** Tables whose every change is a beat of the pulse; events have a number for that. */
const BEATING =
	"runs tasks steps calls turns evidence findings items pair_sessions scores conflicts conflict_subjects run_spending task_spending";

/**
 * An event gets its id, and the pulse beats, at the very end of the transaction: the row of `feed` is locked from there
 * to the commit, within the server, so that a process that stops holds nobody up. Ids are therefore in the order of the
 * commits and without gaps, and whoever has seen one has seen all before it.
 */
const FEED = `
CREATE TABLE feed (
	singleton boolean PRIMARY KEY DEFAULT true CHECK (singleton),
	last_event bigint NOT NULL,
	beat bigint NOT NULL,
	writer xid8
) WITH (fillfactor = 10);
INSERT INTO feed (last_event, beat) VALUES (0, 0);

CREATE FUNCTION number_event() RETURNS trigger LANGUAGE plpgsql SET search_path FROM CURRENT AS $$
DECLARE
	number bigint;
BEGIN
	UPDATE feed SET last_event = last_event + 1 RETURNING last_event INTO number;
	UPDATE events SET id = number WHERE seq = NEW.seq;
	RETURN NULL;
END $$;
CREATE CONSTRAINT TRIGGER events_are_numbered AFTER INSERT ON events
	DEFERRABLE INITIALLY DEFERRED FOR EACH ROW EXECUTE FUNCTION number_event();

CREATE FUNCTION beat() RETURNS trigger LANGUAGE plpgsql SET search_path FROM CURRENT AS $$
BEGIN
	UPDATE feed SET beat = beat + 1, writer = pg_current_xact_id()
		WHERE writer IS DISTINCT FROM pg_current_xact_id();
	RETURN NULL;
END $$;
${BEATING.split(" ")
	.map(
		(table) => `CREATE CONSTRAINT TRIGGER ${table}_beat AFTER INSERT OR UPDATE ON ${table}
	DEFERRABLE INITIALLY DEFERRED FOR EACH ROW EXECUTE FUNCTION beat();`,
	)
	.join("\n")}
`;

/**
 * The tables of the records, with the columns that they have in SQLite. JSON is text, so that it is read as it was
 * written. Long texts are in no index: its entries have at most 2,700 bytes.
 */
export const RECORD_TABLES = `
CREATE TABLE runs (
	seq bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
	run_id text NOT NULL UNIQUE,
	status text NOT NULL,
	cancel_requested bigint NOT NULL,
	pruned bigint NOT NULL,
	created_at text NOT NULL,
	ended_at text,
	base_branch text NOT NULL,
	base_commit text NOT NULL,
	branch text NOT NULL,
	identity text NOT NULL,
	landed_commit text,
	record_file text,
	workflow_name text NOT NULL,
	workflow text NOT NULL
);

CREATE TABLE tasks (
	run_id text NOT NULL REFERENCES runs (run_id),
	task_id text NOT NULL,
	position bigint NOT NULL,
	status text NOT NULL,
	phase text NOT NULL,
	turns bigint NOT NULL,
	success bigint,
	failure_reason text,
	flags text NOT NULL,
	branch text NOT NULL,
	start_commit text,
	commit_id text,
	merged bigint NOT NULL,
	merged_commit text,
	challenger_approved bigint,
	gate text,
	verification text,
	open_findings bigint NOT NULL,
	human_item text,
	started_at text,
	ended_at text,
	epoch bigint NOT NULL,
	bound bigint NOT NULL,
	subtask bigint NOT NULL,
	subtask_start bigint NOT NULL,
	confidence_score double precision,
	confidence_warnings text NOT NULL,
	checklist text NOT NULL,
	PRIMARY KEY (run_id, task_id)
);
CREATE INDEX tasks_in_order ON tasks (run_id, position);

CREATE TABLE steps (
	run_id text NOT NULL REFERENCES runs (run_id),
	task_id text NOT NULL,
	turn bigint NOT NULL,
	step text NOT NULL,
	result text NOT NULL,
	PRIMARY KEY (run_id, task_id, turn, step)
);

CREATE TABLE calls (
	seq bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
	run_id text NOT NULL REFERENCES runs (run_id),
	task_id text NOT NULL,
	turn bigint NOT NULL,
	role text NOT NULL,
	subtask text,
	call bigint NOT NULL,
	agent text NOT NULL,
	outcome text NOT NULL,
	started_at text NOT NULL,
	ms double precision NOT NULL,
	cost_usd double precision,
	usage text,
	transcript_path text,
	message text,
	report text,
	report_problem text,
	checkout text
);
CREATE UNIQUE INDEX calls_once ON calls (run_id, task_id, turn, role, coalesce(subtask, ''), call);

CREATE TABLE turns (
	run_id text NOT NULL REFERENCES runs (run_id),
	task_id text NOT NULL,
	turn bigint NOT NULL,
	commit_id text NOT NULL,
	tree text NOT NULL,
	reviewed_from text,
	raw text,
	effective text,
	exempt bigint NOT NULL,
	restarted bigint NOT NULL,
	route text,
	reasons text NOT NULL,
	open_issues text NOT NULL,
	rationale text NOT NULL,
	notes text NOT NULL,
	concerns text NOT NULL,
	claims text,
	PRIMARY KEY (run_id, task_id, turn)
);

CREATE TABLE evidence (
	seq bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
	run_id text NOT NULL REFERENCES runs (run_id),
	task_id text NOT NULL,
	turn bigint NOT NULL,
	attempt bigint NOT NULL,
	check_name text NOT NULL,
	item text,
	purpose text NOT NULL,
	kind text NOT NULL,
	status text NOT NULL,
	reason text,
	tree text NOT NULL,
	definition text NOT NULL,
	exit_code bigint,
	started bigint NOT NULL,
	started_at text NOT NULL,
	ms double precision NOT NULL,
	touched text NOT NULL,
	counts text,
	output_path text,
	details text NOT NULL,
	output_tail text NOT NULL,
	UNIQUE (run_id, task_id, turn, check_name, purpose, attempt)
);
CREATE INDEX evidence_of_tree ON evidence (run_id, tree, definition, seq) WHERE status IN ('pass', 'fail');
CREATE TABLE evidence_cases (
	evidence bigint PRIMARY KEY REFERENCES evidence (seq) ON DELETE CASCADE,
	cases text NOT NULL
);

CREATE TABLE findings (
	run_id text NOT NULL REFERENCES runs (run_id),
	task_id text NOT NULL,
	finding_id text NOT NULL,
	ordinal bigint NOT NULL,
	live bigint NOT NULL,
	issue_key text NOT NULL,
	severity text NOT NULL,
	state text NOT NULL,
	source text NOT NULL,
	test text,
	suspicion text,
	late bigint NOT NULL,
	raised_turn bigint NOT NULL,
	changed_turn bigint NOT NULL,
	line bigint,
	file text,
	criterion text,
	issue text NOT NULL,
	suggestion text,
	dispute text,
	subtask text,
	ruling text,
	PRIMARY KEY (run_id, task_id, finding_id),
	UNIQUE (run_id, task_id, ordinal)
);
CREATE INDEX findings_live ON findings (run_id, task_id, ordinal) WHERE live = 1;

CREATE TABLE items (
	seq bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
	item_id text NOT NULL UNIQUE,
	run_id text NOT NULL REFERENCES runs (run_id),
	task_id text NOT NULL,
	trigger text NOT NULL,
	status text NOT NULL,
	consumed bigint NOT NULL,
	created_at text NOT NULL,
	choices text NOT NULL,
	reason text NOT NULL,
	answer text,
	parts text,
	context text NOT NULL
);
CREATE UNIQUE INDEX items_one_open ON items (run_id, task_id) WHERE status IN ('PENDING', 'ACKED');
CREATE INDEX items_of_run ON items (run_id, seq);

CREATE TABLE events (
	seq bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
	id bigint UNIQUE,
	run_id text NOT NULL REFERENCES runs (run_id),
	task text,
	turn bigint,
	node text,
	type text NOT NULL,
	timestamp text NOT NULL,
	data text NOT NULL
);
CREATE INDEX events_of_run ON events (run_id, id);
CREATE INDEX events_of_task ON events (run_id, task, id);

CREATE TABLE evidence_figures (
	evidence bigint PRIMARY KEY REFERENCES evidence (seq) ON DELETE CASCADE,
	figures text NOT NULL
);

CREATE TABLE pair_sessions (
	run_id text NOT NULL REFERENCES runs (run_id),
	task_id text NOT NULL,
	digest text,
	previous_digest text,
	session text NOT NULL,
	PRIMARY KEY (run_id, task_id)
);

CREATE TABLE scores (
	seq bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
	run_id text NOT NULL REFERENCES runs (run_id),
	task_id text NOT NULL,
	turn bigint NOT NULL,
	tree text NOT NULL,
	agent text NOT NULL,
	score double precision NOT NULL,
	gate text,
	human text,
	assembled text,
	created_at text NOT NULL,
	metrics text NOT NULL,
	UNIQUE (run_id, task_id, turn)
);

CREATE TABLE conflicts (
	conflict_id text PRIMARY KEY,
	thread_id text,
	task_id text,
	developer_verdict text,
	reviewer_verdict text,
	resolution text,
	tie_breaker_decision text,
	rationale text,
	escalation_reason text,
	attempt_count bigint,
	resolved_at text
);

-- What an attempt in conflicts is about; seq is the order in which they were stored. One dispute is taken up once.
CREATE TABLE conflict_subjects (
	seq bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
	conflict_id text NOT NULL UNIQUE REFERENCES conflicts (conflict_id),
	run_id text NOT NULL REFERENCES runs (run_id),
	task_id text NOT NULL,
	finding_id text NOT NULL,
	turn bigint NOT NULL,
	dispute_turn bigint NOT NULL,
	tie_breaker text,
	paused bigint NOT NULL DEFAULT 0,
	UNIQUE (run_id, task_id, finding_id, dispute_turn)
);
CREATE INDEX conflict_subjects_of_task ON conflict_subjects (run_id, task_id, seq);

-- What each run and task has used up.
CREATE TABLE run_spending (
	run_id text PRIMARY KEY REFERENCES runs (run_id),
	held_ms double precision NOT NULL DEFAULT 0,
	added_usd double precision NOT NULL DEFAULT 0,
	added_wall_ms double precision NOT NULL DEFAULT 0,
	warned_usd bigint NOT NULL DEFAULT 0,
	warned_wall bigint NOT NULL DEFAULT 0
);

CREATE TABLE task_spending (
	run_id text NOT NULL REFERENCES runs (run_id),
	task_id text NOT NULL,
	calls bigint NOT NULL DEFAULT 0,
	unknown_calls bigint NOT NULL DEFAULT 0,
	cost_usd double precision,
	input_tokens double precision,
	output_tokens double precision,
	work_ms double precision NOT NULL DEFAULT 0,
	added_usd double precision NOT NULL DEFAULT 0,
	added_wall_ms double precision NOT NULL DEFAULT 0,
	warned_usd bigint NOT NULL DEFAULT 0,
	warned_wall bigint NOT NULL DEFAULT 0,
	PRIMARY KEY (run_id, task_id)
);
${FEED}`;
