-- Times are nanoseconds since 1970 in UTC, 0 for none. Lists of texts (refs,
-- recipients) are packed by packing.go.

-- The key 'owner' names whose store this is. Every version has this table in this
-- form: it is read before anything else.
CREATE TABLE meta (
    key   TEXT PRIMARY KEY,
    value TEXT NOT NULL
) STRICT, WITHOUT ROWID;

CREATE TABLE objects (
    position INTEGER PRIMARY KEY, -- the order of first writing
    kind     TEXT    NOT NULL,
    id       TEXT    NOT NULL,
    rev      INTEGER NOT NULL,
    refs     BLOB    NOT NULL,
    body     BLOB    NOT NULL,
    UNIQUE (kind, id)
) STRICT;

CREATE INDEX objects_by_kind ON objects (kind);

-- One row for each different reference of an object.
CREATE TABLE refs (
    kind     TEXT    NOT NULL,
    name     TEXT    NOT NULL,
    target   TEXT    NOT NULL,
    position INTEGER NOT NULL,
    PRIMARY KEY (kind, name, target, position)
) STRICT, WITHOUT ROWID;

CREATE TABLE ledgers (
    number   INTEGER PRIMARY KEY, -- the order of opening
    case_id  TEXT    NOT NULL UNIQUE,
    standing TEXT    NOT NULL,
    genesis  TEXT    NOT NULL
) STRICT;

-- An index and a previous hash stand in a ledger once, whatever a program does:
-- the position is made of the ledger's number and the index, and whose previous
-- hash it is tells an entry by its own. Each index less is a page less to write
-- for every entry.
CREATE TABLE entries (
    position      INTEGER PRIMARY KEY, -- number << 40 | idx
    ledger        INTEGER NOT NULL REFERENCES ledgers (number),
    idx           INTEGER NOT NULL,
    disposition   TEXT    NOT NULL,
    term          INTEGER,
    about         BLOB    NOT NULL, -- a digest of event_type and object_id
    object_id     TEXT    NOT NULL,
    event_type    TEXT    NOT NULL,
    prev_hash     TEXT    NOT NULL,
    hash          TEXT    NOT NULL,
    received_at   TEXT    NOT NULL, -- as hashed
    reason_code   TEXT,
    reason_detail TEXT,
    published     TEXT    NOT NULL,
    updated       TEXT    NOT NULL,
    payload       BLOB    NOT NULL, -- as hashed
    UNIQUE (ledger, prev_hash),
    CHECK (position = (ledger << 40 | idx))
) STRICT;

CREATE INDEX entries_by_about ON entries (ledger, about, idx);

CREATE TABLE inbox (
    seq            INTEGER PRIMARY KEY, -- the order of arrival
    class          TEXT    NOT NULL,
    sender         TEXT    NOT NULL,
    activity_id    TEXT    NOT NULL,
    digest         TEXT    NOT NULL,
    received_at    INTEGER NOT NULL,
    state          TEXT    NOT NULL,
    wake           TEXT    NOT NULL DEFAULT '',
    until          INTEGER NOT NULL DEFAULT 0,
    attempts       INTEGER NOT NULL DEFAULT 0,
    outcome_code   TEXT    NOT NULL DEFAULT '',
    outcome_text   TEXT    NOT NULL DEFAULT '',
    outcome_path   TEXT    NOT NULL DEFAULT '',
    outcome_at     INTEGER NOT NULL DEFAULT 0,
    outcome_result BLOB    NOT NULL DEFAULT x'',
    body           BLOB    NOT NULL, -- as received
    identity       BLOB    NOT NULL UNIQUE -- a digest of sender, activity_id and digest
) STRICT;

CREATE INDEX inbox_not_done ON inbox (state) WHERE state <> 'done';
CREATE INDEX inbox_by_until ON inbox (until) WHERE state = 'deferred';
CREATE INDEX inbox_by_wake ON inbox (wake) WHERE state = 'deferred';

CREATE TABLE outbox (
    seq           INTEGER PRIMARY KEY, -- the order of writing
    activity_id   TEXT    NOT NULL UNIQUE,
    attributed_to TEXT    NOT NULL,
    recipients    BLOB    NOT NULL,
    per_recipient INTEGER NOT NULL,
    about         TEXT    NOT NULL,
    created_at    INTEGER NOT NULL,
    body          BLOB    NOT NULL
) STRICT;

-- What is still to be delivered, and what was given up. A delivery that succeeded
-- has no row.
CREATE TABLE deliveries (
    recipient  TEXT    NOT NULL,
    dead       INTEGER NOT NULL DEFAULT 0,
    seq        INTEGER NOT NULL REFERENCES outbox (seq),
    attempts   INTEGER NOT NULL DEFAULT 0,
    not_before INTEGER NOT NULL DEFAULT 0,
    last_error TEXT    NOT NULL DEFAULT '',
    PRIMARY KEY (recipient, dead, seq)
) STRICT, WITHOUT ROWID;

CREATE INDEX deliveries_dead ON deliveries (seq, recipient) WHERE dead = 1;
