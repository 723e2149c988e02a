extension ServerSchema {
  /// The character before a cell's name, with which no name of a property begins, under which `clocks` has
  /// ``SyncedObject/Cell/basis``.
  static let basisPrefix = "<"
  /// Another such character, under which `clocks` has what was replaced unseen: see ``UnseenSpan``.
  static let unseenPrefix = "!"

  /// The tables. They are created only where they are missing.
  ///
  /// Whenever a table has been vacuumed or analyzed, each session makes its statements ready anew that use
  /// it: on a server of 1,000 machines seconds of work, once a minute. The tables whose rows change most are
  /// left alone for longer. The next change of a row clears its earlier states away, and no plan depends on
  /// statistics.
  ///
  /// An object is one row. Nearly always most of its cells are of one change, whose clock is that of the row;
  /// `clocks` has the others, under names that begin with ``basisPrefix`` what cells are based on, and under
  /// those that begin with ``unseenPrefix`` what was replaced unseen. A table with a row for each cell took
  /// three times as long and twice the space.
  static let tables = #"""
    CREATE SCHEMA IF NOT EXISTS livestore;

    CREATE TABLE IF NOT EXISTS livestore.installation (
      version integer NOT NULL,
      is_only boolean PRIMARY KEY DEFAULT true CHECK (is_only)
    );

    CREATE OR REPLACE FUNCTION livestore.random_number() RETURNS bigint LANGUAGE sql VOLATILE
    RETURN ('x' || pg_catalog.substr(pg_catalog.md5(pg_catalog.gen_random_uuid()::text), 1, 13))::bit(52)::bigint;

    CREATE TABLE IF NOT EXISTS livestore.space (
      space bigint PRIMARY KEY DEFAULT livestore.random_number(),
      name text NOT NULL CHECK (name <> '' AND pg_catalog.length(name) <= 200),
      creator text COLLATE "C" NOT NULL DEFAULT current_user,
      -- The number of the last transaction that changed an object: versions are in the order of commits.
      version bigint NOT NULL DEFAULT 0,
      -- The last version of which a deletion was forgotten.
      pruned bigint NOT NULL DEFAULT 0,
      -- The transaction that made the last version, so that each makes one.
      writer xid8,
      -- The mark of the line that the last version belongs to, since when, and on which server.
      mark bigint NOT NULL DEFAULT 0,
      marked timestamptz,
      basis text,
      -- When deletions were last forgotten.
      last_pruning timestamptz,
      UNIQUE (creator, name)
    ) WITH (autovacuum_vacuum_threshold = 100000, autovacuum_analyze_threshold = 10000000);

    -- The last changes that were small enough to be carried by notices, one for each of the versions up to the
    -- last. For an earlier server, which has the table without them.
    ALTER TABLE livestore.space ADD COLUMN IF NOT EXISTS recent text[];

    -- The channel on which the members of a space are notified. Its name is told to members alone, since any
    -- role may listen to a channel that it can name; it is another one when a member has been removed.
    CREATE TABLE IF NOT EXISTS livestore.channel (
      space bigint PRIMARY KEY REFERENCES livestore.space ON DELETE CASCADE,
      name text NOT NULL DEFAULT 'livestore_' || pg_catalog.replace(pg_catalog.gen_random_uuid()::text, '-', '')
    );
    INSERT INTO livestore.channel (space) SELECT s.space FROM livestore.space s ON CONFLICT DO NOTHING;

    -- Versions that follow one another without the server having been restored between them, as far as can be
    -- known: a line ends when the server is started or the tables are created anew, and after some minutes.
    CREATE TABLE IF NOT EXISTS livestore.line (
      space bigint NOT NULL REFERENCES livestore.space ON DELETE CASCADE,
      version bigint NOT NULL,
      mark bigint NOT NULL,
      PRIMARY KEY (space, version)
    );

    -- rights: 1 to read, 2 to write, 3 to manage.
    CREATE TABLE IF NOT EXISTS livestore.member (
      space bigint NOT NULL REFERENCES livestore.space ON DELETE CASCADE,
      role text COLLATE "C" NOT NULL,
      rights smallint NOT NULL CHECK (rights BETWEEN 1 AND 3),
      PRIMARY KEY (space, role)
    );
    CREATE INDEX IF NOT EXISTS member_role ON livestore.member (role);

    CREATE TABLE IF NOT EXISTS livestore.machine (
      space bigint NOT NULL REFERENCES livestore.space ON DELETE CASCADE,
      replica bigint NOT NULL,
      role text COLLATE "C" NOT NULL DEFAULT current_user,
      name text NOT NULL,
      -- Shown by the machine when it enters; offered for the next time, until it has shown that it has it.
      token uuid NOT NULL,
      offered uuid,
      seen timestamptz NOT NULL DEFAULT pg_catalog.clock_timestamp(),
      version bigint NOT NULL DEFAULT 0,
      PRIMARY KEY (space, replica)
    ) WITH (autovacuum_vacuum_threshold = 100000, autovacuum_analyze_threshold = 10000000);

    -- The key that a machine which listens shares with the server, and with no one else: by it the machine
    -- knows that a notice is the server's. Emptied by a server that ends early: so are all connections.
    CREATE UNLOGGED TABLE IF NOT EXISTS livestore.receiver (
      space bigint NOT NULL,
      replica bigint NOT NULL,
      key text NOT NULL,
      PRIMARY KEY (space, replica),
      FOREIGN KEY (space, replica) REFERENCES livestore.machine ON DELETE CASCADE
    );

    CREATE TABLE IF NOT EXISTS livestore.object (
      space bigint NOT NULL,
      version bigint NOT NULL,
      life bigint NOT NULL,
      deletion_stamp bigint,
      deletion_replica bigint,
      -- The clock of the cells that are not in clocks.
      stamp bigint,
      replica bigint,
      -- The machine that wrote it last if that is not replica, and whether it had not seen everything in it.
      machine bigint,
      is_merged boolean NOT NULL,
      type text COLLATE "C" NOT NULL,
      key text COLLATE "C" NOT NULL,
      author text COLLATE "C" NOT NULL,
      clocks jsonb,
      data jsonb,
      PRIMARY KEY (space, type, key)
    ) WITH (autovacuum_vacuum_threshold = 50000, autovacuum_analyze_threshold = 1000000);

    -- How pushes are announced. These tables are emptied by a server that ends early: so are all connections.
    -- An earlier server had others.
    DROP FUNCTION IF EXISTS livestore.announce(bigint, boolean), livestore.is_awaited,
      livestore.locks_unannounced, livestore.take_unannounced, livestore.announce_all, livestore.is_basis;
    DROP TABLE IF EXISTS livestore.announcing, livestore.turn, livestore.unannounced;
    DROP SEQUENCE IF EXISTS livestore.announced;
    -- The milliseconds for which pushes are gathered before they are announced, by the number of connections;
    -- when those were counted, and since when there has been such a time at all.
    CREATE UNLOGGED TABLE IF NOT EXISTS livestore.pace (
      is_only boolean PRIMARY KEY DEFAULT true CHECK (is_only),
      pause bigint NOT NULL DEFAULT 0,
      counted timestamptz NOT NULL DEFAULT '-infinity',
      since timestamptz NOT NULL DEFAULT '-infinity'
    );
    -- Two rows: the first is locked by the connection that gathers pushes, the second by one that announces
    -- what it has gathered.
    CREATE UNLOGGED TABLE livestore.turn (step integer PRIMARY KEY);
    INSERT INTO livestore.turn VALUES (1), (2);
    -- The time when a connection last had gathered pushes, in milliseconds. A sequence, since all have to see
    -- it before that transaction has ended.
    CREATE SEQUENCE IF NOT EXISTS livestore.gathered;
    -- The spaces of the pushes that are to be announced, a row for each: when all wrote to one row, they
    -- waited for one another, on a server of 1,000 machines most of the time.
    CREATE UNLOGGED TABLE livestore.unannounced (
      space bigint NOT NULL,
      version bigint NOT NULL
    ) WITH (
      autovacuum_vacuum_threshold = 100000, autovacuum_vacuum_scale_factor = 0,
      autovacuum_analyze_threshold = 10000000);

    -- All rows are in it. The condition keeps it from statements that do not repeat it: a push must not
    -- choose it in place of the primary key, as the planner does while the table is new and has no statistics.
    CREATE INDEX IF NOT EXISTS object_version ON livestore.object (space, version) WHERE version > 0;
    CREATE INDEX IF NOT EXISTS object_deletion ON livestore.object (space, deletion_stamp)
      WHERE deletion_stamp IS NOT NULL;
    """#
}
