import type { Migration } from './migration.ts';

/**
 * The first schema. Foreign keys are deferred to the commit, so that a transaction may write its rows in any order.
 * Tables that recovery reads (trees, kept states, the journal) carry none: a record of what stands on the disk must
 * never be refused.
 */
export const first: Migration = {
  number: 1,
  name: 'first',
  sql: `
CREATE TABLE store (
  id INTEGER PRIMARY KEY CHECK (id = 1),
  hub_id TEXT NOT NULL,
  created_at INTEGER NOT NULL
) STRICT;

CREATE TABLE project (
  id TEXT PRIMARY KEY NOT NULL,
  name TEXT NOT NULL,
  path TEXT NOT NULL,
  root TEXT NOT NULL AS (json_extract(facts_json, '$.root')) STORED,
  base_branch TEXT NOT NULL,
  slots INTEGER NOT NULL,
  is_enabled INTEGER NOT NULL,
  disabled_reason TEXT,
  is_paused INTEGER NOT NULL,
  settings_json TEXT NOT NULL,
  facts_json TEXT NOT NULL,
  created_at INTEGER NOT NULL,
  removed_at INTEGER
) STRICT;
CREATE UNIQUE INDEX project_by_name ON project (name) WHERE removed_at IS NULL;
CREATE UNIQUE INDEX project_by_root ON project (root) WHERE removed_at IS NULL;

CREATE TABLE agent (
  name TEXT PRIMARY KEY NOT NULL,
  display_name TEXT NOT NULL,
  harness TEXT NOT NULL,
  model TEXT NOT NULL,
  calls_per_day INTEGER NOT NULL,
  call_timeout_s INTEGER NOT NULL,
  tests_under_account INTEGER NOT NULL
) STRICT;

-- AUTOINCREMENT: a number is never given twice, also when its row is deleted.
CREATE TABLE task (
  number INTEGER PRIMARY KEY AUTOINCREMENT,
  id TEXT NOT NULL UNIQUE,
  project_id TEXT NOT NULL REFERENCES project (id) DEFERRABLE INITIALLY DEFERRED,
  title TEXT NOT NULL,
  description TEXT NOT NULL,
  state TEXT NOT NULL,
  position INTEGER NOT NULL,
  run_id TEXT REFERENCES run (id) DEFERRABLE INITIALLY DEFERRED,
  ended_reason TEXT,
  created_at INTEGER NOT NULL,
  updated_at INTEGER NOT NULL,
  ready_at INTEGER
) STRICT;
CREATE INDEX task_by_queue ON task (project_id, position);
CREATE INDEX task_by_state ON task (state, project_id, position);

CREATE TABLE run (
  id TEXT PRIMARY KEY NOT NULL,
  task_id TEXT NOT NULL REFERENCES task (id) DEFERRABLE INITIALLY DEFERRED,
  workflow TEXT NOT NULL,
  state TEXT NOT NULL,
  step TEXT NOT NULL,
  next_turn_json TEXT,
  session_id TEXT,
  base_commit TEXT,
  head_commit TEXT,
  questions INTEGER NOT NULL,
  extra_questions INTEGER NOT NULL,
  counted_attempts INTEGER NOT NULL,
  pending_changes_json TEXT NOT NULL,
  started_at INTEGER NOT NULL,
  ended_at INTEGER
) STRICT;
CREATE INDEX run_by_task ON run (task_id);

CREATE TABLE attempt (
  id TEXT PRIMARY KEY NOT NULL,
  run_id TEXT NOT NULL REFERENCES run (id) DEFERRABLE INITIALLY DEFERRED,
  task_id TEXT NOT NULL REFERENCES task (id) DEFERRABLE INITIALLY DEFERRED,
  step TEXT NOT NULL,
  number INTEGER NOT NULL,
  state TEXT NOT NULL,
  session_id TEXT,
  model TEXT,
  ended_reason TEXT,
  started_at INTEGER NOT NULL,
  ended_at INTEGER
) STRICT;
CREATE INDEX attempt_by_run ON attempt (run_id);
CREATE INDEX attempt_by_task ON attempt (task_id);
CREATE INDEX attempt_running ON attempt (id) WHERE state = 'running';

CREATE TABLE turn (
  id TEXT PRIMARY KEY NOT NULL,
  attempt_id TEXT NOT NULL REFERENCES attempt (id) DEFERRABLE INITIALLY DEFERRED,
  run_id TEXT NOT NULL REFERENCES run (id) DEFERRABLE INITIALLY DEFERRED,
  task_id TEXT NOT NULL REFERENCES task (id) DEFERRABLE INITIALLY DEFERRED,
  project_id TEXT NOT NULL REFERENCES project (id) DEFERRABLE INITIALLY DEFERRED,
  agent TEXT NOT NULL,
  number INTEGER NOT NULL,
  kind TEXT NOT NULL,
  session_id TEXT NOT NULL,
  prompt TEXT NOT NULL,
  delivery_id TEXT NOT NULL,
  item INTEGER REFERENCES item (number) DEFERRABLE INITIALLY DEFERRED,
  state TEXT NOT NULL,
  outcome TEXT,
  reserved_micro_usd INTEGER NOT NULL,
  cost_micro_usd INTEGER NOT NULL,
  total_micro_usd INTEGER,
  cost_basis TEXT NOT NULL,
  started_at INTEGER NOT NULL,
  ended_at INTEGER
) STRICT;
CREATE INDEX turn_by_attempt ON turn (attempt_id);
CREATE INDEX turn_by_task ON turn (task_id);
CREATE INDEX turn_by_item ON turn (item) WHERE item IS NOT NULL;
CREATE UNIQUE INDEX turn_one_running ON turn (attempt_id) WHERE state = 'running';
CREATE INDEX turn_running ON turn (project_id, reserved_micro_usd) WHERE state = 'running';
CREATE INDEX turn_booked ON turn (project_id, ended_at, cost_micro_usd) WHERE state = 'settled';
CREATE INDEX turn_booked_by_time ON turn (ended_at, cost_micro_usd) WHERE state = 'settled';

CREATE TABLE launch (
  id TEXT PRIMARY KEY NOT NULL,
  turn_id TEXT NOT NULL REFERENCES turn (id) DEFERRABLE INITIALLY DEFERRED,
  task_id TEXT NOT NULL REFERENCES task (id) DEFERRABLE INITIALLY DEFERRED,
  project_id TEXT NOT NULL REFERENCES project (id) DEFERRABLE INITIALLY DEFERRED,
  agent TEXT NOT NULL,
  owner_mark TEXT NOT NULL,
  pid INTEGER,
  process_start TEXT,
  argv_json TEXT NOT NULL,
  state TEXT NOT NULL,
  is_call INTEGER NOT NULL,
  local_day TEXT NOT NULL,
  exit_code INTEGER,
  signal TEXT,
  started_at INTEGER NOT NULL,
  ended_at INTEGER
) STRICT;
CREATE INDEX launch_by_turn ON launch (turn_id);
CREATE INDEX launch_by_task ON launch (task_id);
-- No turn's prompt is ever written by two live processes.
CREATE UNIQUE INDEX launch_live ON launch (turn_id) WHERE state <> 'ended';
CREATE INDEX launch_call ON launch (local_day, agent, project_id, started_at) WHERE is_call = 1;

CREATE TABLE session (
  id TEXT PRIMARY KEY NOT NULL,
  task_id TEXT NOT NULL,
  harness TEXT NOT NULL,
  cwd TEXT NOT NULL,
  last_total_micro_usd INTEGER NOT NULL,
  created_at INTEGER NOT NULL
) STRICT;

CREATE TABLE item (
  number INTEGER PRIMARY KEY AUTOINCREMENT,
  kind TEXT NOT NULL,
  state TEXT NOT NULL,
  project_id TEXT REFERENCES project (id) DEFERRABLE INITIALLY DEFERRED,
  task_id TEXT REFERENCES task (id) DEFERRABLE INITIALLY DEFERRED,
  run_id TEXT REFERENCES run (id) DEFERRABLE INITIALLY DEFERRED,
  raised_by TEXT NOT NULL,
  raised_at INTEGER NOT NULL,
  cause TEXT,
  question TEXT NOT NULL,
  options_json TEXT NOT NULL,
  summary TEXT NOT NULL,
  cycle INTEGER,
  offer_json TEXT,
  actions_json TEXT NOT NULL,
  details_json TEXT NOT NULL,
  answer TEXT,
  action TEXT,
  responded_at INTEGER,
  responded_by TEXT,
  responded_via TEXT,
  dispatch_at INTEGER,
  delivery TEXT NOT NULL
) STRICT;
CREATE INDEX item_by_state ON item (state, number);
CREATE INDEX item_by_task ON item (task_id, number) WHERE task_id IS NOT NULL;
CREATE INDEX item_by_project ON item (project_id, number) WHERE project_id IS NOT NULL;
CREATE INDEX item_stored ON item (number) WHERE delivery = 'stored';

CREATE TABLE hold (
  kind TEXT PRIMARY KEY NOT NULL,
  reason TEXT NOT NULL,
  since_at INTEGER NOT NULL,
  until_at INTEGER,
  probe_at INTEGER NOT NULL,
  item INTEGER
) STRICT;

CREATE TABLE setting (
  key TEXT PRIMARY KEY NOT NULL,
  value_json TEXT NOT NULL
) STRICT;

CREATE TABLE test_run (
  id TEXT PRIMARY KEY NOT NULL,
  task_id TEXT NOT NULL REFERENCES task (id) DEFERRABLE INITIALLY DEFERRED,
  run_id TEXT NOT NULL,
  attempt_id TEXT NOT NULL,
  purpose TEXT NOT NULL,
  commit_id TEXT,
  pid INTEGER,
  process_start TEXT,
  state TEXT NOT NULL,
  exit_code INTEGER,
  confinement TEXT,
  output_hash TEXT,
  tail TEXT NOT NULL,
  lock_wait_ms INTEGER NOT NULL,
  started_at INTEGER NOT NULL,
  ended_at INTEGER
) STRICT;
CREATE INDEX test_run_by_task ON test_run (task_id);
CREATE INDEX test_run_running ON test_run (id) WHERE state = 'running';
CREATE INDEX test_run_by_output ON test_run (output_hash) WHERE output_hash IS NOT NULL;

-- Short integers instead of ids in the rows that there are millions of.
CREATE TABLE event_key (
  key INTEGER PRIMARY KEY,
  id TEXT NOT NULL UNIQUE
) STRICT;

-- Last number given, in one row a series; numbers are never given twice.
CREATE TABLE series (
  name TEXT PRIMARY KEY NOT NULL,
  last INTEGER NOT NULL
) STRICT;
INSERT INTO series (name, last) VALUES ('turn_event', 0), ('transcript_entry', 0);

CREATE TABLE turn_event (
  id INTEGER PRIMARY KEY,
  task_key INTEGER NOT NULL,
  turn_key INTEGER NOT NULL,
  seq INTEGER NOT NULL,
  happened_at INTEGER NOT NULL,
  event_json TEXT NOT NULL
) STRICT;
CREATE INDEX turn_event_by_task ON turn_event (task_key, id);

CREATE TABLE transcript_entry (
  id INTEGER PRIMARY KEY,
  task_key INTEGER NOT NULL,
  turn_key INTEGER NOT NULL,
  session_id TEXT NOT NULL,
  role TEXT NOT NULL,
  content TEXT NOT NULL,
  happened_at INTEGER NOT NULL
) STRICT;
CREATE INDEX transcript_entry_by_task ON transcript_entry (task_key, id);

CREATE TABLE tree (
  task_id TEXT PRIMARY KEY NOT NULL,
  project_id TEXT NOT NULL,
  path TEXT NOT NULL,
  branch TEXT NOT NULL,
  base_commit TEXT NOT NULL,
  mark TEXT NOT NULL,
  last_commit TEXT NOT NULL,
  setup_hash TEXT,
  state TEXT NOT NULL,
  created_at INTEGER NOT NULL
) STRICT;
CREATE INDEX tree_by_state ON tree (state);

CREATE TABLE kept (
  ref TEXT NOT NULL,
  project_id TEXT NOT NULL,
  task_id TEXT NOT NULL,
  commit_id TEXT NOT NULL,
  reason TEXT NOT NULL,
  files INTEGER NOT NULL,
  kept_at INTEGER NOT NULL,
  PRIMARY KEY (project_id, ref)
) STRICT;

CREATE TABLE journal (
  id TEXT PRIMARY KEY NOT NULL,
  project_id TEXT NOT NULL,
  task_id TEXT,
  intent TEXT NOT NULL,
  data_json TEXT NOT NULL,
  state TEXT NOT NULL,
  created_at INTEGER NOT NULL,
  settled_at INTEGER
) STRICT;
CREATE INDEX journal_open ON journal (id) WHERE state = 'open';

CREATE TABLE spike (
  id TEXT PRIMARY KEY NOT NULL,
  project_ids_json TEXT NOT NULL,
  budget_micro_usd INTEGER NOT NULL,
  calls_per_day INTEGER NOT NULL,
  days INTEGER NOT NULL,
  keep_cap INTEGER NOT NULL,
  calls_before INTEGER NOT NULL,
  started_at INTEGER NOT NULL,
  ends_at INTEGER NOT NULL,
  ended_at INTEGER,
  ended_reason TEXT
) STRICT;

-- The owner is null while nobody holds it; the row stays, so that its fencing number goes on growing.
CREATE TABLE lease (
  name TEXT PRIMARY KEY NOT NULL,
  owner TEXT,
  fencing INTEGER NOT NULL,
  beat_at INTEGER NOT NULL
) STRICT;

-- happened_at is what the clock said; latest_at the greatest of it so far, which never goes back, so that a moment
-- is found by halving. family is the kind up to its first dot.
CREATE TABLE ledger_entry (
  seq INTEGER PRIMARY KEY,
  happened_at INTEGER NOT NULL,
  latest_at INTEGER NOT NULL,
  local_day TEXT NOT NULL,
  kind TEXT NOT NULL,
  family TEXT NOT NULL AS (substr(kind, 1, instr(kind || '.', '.') - 1)) VIRTUAL,
  project_id TEXT,
  project TEXT,
  task_id TEXT,
  session_id TEXT,
  item INTEGER,
  data_json TEXT NOT NULL,
  schema INTEGER NOT NULL,
  prev_hash TEXT NOT NULL UNIQUE,
  hash TEXT NOT NULL
) STRICT;
CREATE INDEX ledger_entry_by_task ON ledger_entry (task_id) WHERE task_id IS NOT NULL;
CREATE INDEX ledger_entry_by_kind ON ledger_entry (kind);
CREATE INDEX ledger_entry_by_family ON ledger_entry (family);
CREATE INDEX ledger_entry_by_project ON ledger_entry (project_id) WHERE project_id IS NOT NULL;
CREATE INDEX ledger_entry_by_project_kind ON ledger_entry (project_id, kind) WHERE project_id IS NOT NULL;
CREATE INDEX ledger_entry_by_project_family ON ledger_entry (project_id, family) WHERE project_id IS NOT NULL;

CREATE TRIGGER ledger_entry_is_never_changed BEFORE UPDATE ON ledger_entry
BEGIN
  SELECT RAISE(ABORT, 'the ledger is append-only: a correction is a new entry');
END;
CREATE TRIGGER ledger_entry_is_never_deleted BEFORE DELETE ON ledger_entry
BEGIN
  SELECT RAISE(ABORT, 'the ledger is append-only: a correction is a new entry');
END;
-- Also what keeps INSERT OR REPLACE from replacing an entry.
CREATE TRIGGER ledger_entry_follows_the_head BEFORE INSERT ON ledger_entry
WHEN NEW.seq IS NOT (SELECT coalesce(max(seq), 0) + 1 FROM ledger_entry)
  OR NEW.prev_hash IS NOT coalesce(
    (SELECT hash FROM ledger_entry ORDER BY seq DESC LIMIT 1),
    '0000000000000000000000000000000000000000000000000000000000000000')
BEGIN
  SELECT RAISE(ABORT, 'the ledger is append-only: an entry follows the head');
END;

-- Sums of ledger entries, written with each of them; '' stands for no project, no model.
CREATE TABLE ledger_total (
  local_day TEXT NOT NULL,
  project_id TEXT NOT NULL,
  model TEXT NOT NULL,
  entries INTEGER NOT NULL,
  calls INTEGER NOT NULL,
  bookings INTEGER NOT NULL,
  reported_micro_usd INTEGER NOT NULL,
  assumed_micro_usd INTEGER NOT NULL,
  waits INTEGER NOT NULL,
  waited_ms INTEGER NOT NULL,
  lock_waits INTEGER NOT NULL,
  lock_waited_ms INTEGER NOT NULL,
  PRIMARY KEY (local_day, project_id, model)
) STRICT, WITHOUT ROWID;
CREATE INDEX ledger_total_by_project ON ledger_total (project_id, local_day);

-- How far the chain was verified; it goes on from here.
CREATE TABLE ledger_checkpoint (
  id INTEGER PRIMARY KEY CHECK (id = 1),
  seq INTEGER NOT NULL,
  hash TEXT NOT NULL,
  verified_at INTEGER NOT NULL
) STRICT;
`,
};
