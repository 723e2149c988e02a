extension ServerSchema {
  /// The functions that change objects, with the rights of the owner of the tables.
  ///
  /// They take arrays and not a table of the caller's: a view in its place would run the caller's code with
  /// the owner's rights. Merging is that of ``SyncedObject/merge(_:)``.
  static let pushing = #"""
    -- What decides between two values of one clock: their kind, a number, bytes.
    CREATE OR REPLACE FUNCTION livestore.kind(value jsonb) RETURNS integer LANGUAGE sql IMMUTABLE
    RETURN CASE pg_catalog.jsonb_typeof(value)
      WHEN 'null' THEN 0
      WHEN 'number' THEN 1
      WHEN 'string' THEN 3
      ELSE CASE WHEN value ? 'r' THEN 2 WHEN value ? 't' THEN 3 WHEN value ? 'm' THEN 4 ELSE 5 END END;

    -- A value of a form that no program writes has some bytes too: it must not make a push fail.
    CREATE OR REPLACE FUNCTION livestore.bytes(value jsonb) RETURNS bytea
    LANGUAGE plpgsql IMMUTABLE SET search_path = pg_catalog, pg_temp AS $$
    BEGIN
      RETURN CASE
        WHEN jsonb_typeof(value) = 'string' THEN convert_to(value #>> '{}', 'UTF8')
        WHEN value ? 'r' THEN float8send((value ->> 'r')::float8)
        ELSE decode(coalesce(value ->> 't', value ->> 'm', value ->> 'b'), 'base64') END;
    EXCEPTION WHEN data_exception THEN
      RETURN convert_to(value::text, 'UTF8');
    END $$;

    -- It is seldom needed. As an SQL function it would become part of the statement that merges, which each
    -- push would make ready with several copies of everything here.
    CREATE OR REPLACE FUNCTION livestore.precedes(value jsonb, other jsonb) RETURNS boolean
    LANGUAGE plpgsql IMMUTABLE SET search_path = pg_catalog, pg_temp AS $$
    BEGIN
      RETURN CASE
        WHEN livestore.kind(value) <> livestore.kind(other) THEN livestore.kind(value) < livestore.kind(other)
        WHEN livestore.kind(value) = 0 THEN false
        WHEN livestore.kind(value) = 1 THEN value < other
        ELSE livestore.bytes(value) < livestore.bytes(other) END;
    END $$;

    -- The stamp of a moment, as in HybridClock. Stable, since a function that is declared to be more than
    -- those that it calls is parsed again for each call.
    CREATE OR REPLACE FUNCTION livestore.stamp(moment timestamptz) RETURNS bigint LANGUAGE sql STABLE
    RETURN (extract(epoch FROM moment) * 1000)::bigint << 16;

    -- The role that called a function which runs as the owner.
    CREATE OR REPLACE FUNCTION livestore.caller() RETURNS text LANGUAGE sql STABLE
    RETURN CASE pg_catalog.current_setting('role')
      WHEN 'none' THEN session_user::text ELSE pg_catalog.current_setting('role') END;

    -- What was replaced unseen of a cell, with the change that replaces it now: four numbers for each time,
    -- the basis of a change and its clock, between which are changes that were not known where it was made.
    -- What lies after the basis of the new change is part of that one's. The last eight times are kept.
    CREATE OR REPLACE FUNCTION livestore.unseen(noted jsonb, own_clock jsonb, clock jsonb, basis jsonb)
    RETURNS jsonb LANGUAGE plpgsql IMMUTABLE SET search_path = pg_catalog, pg_temp AS $$
    DECLARE
      spans jsonb := '[]';
      first jsonb;
      last jsonb;
      is_unseen boolean := basis < own_clock AND own_clock -> 1 <> clock -> 1;
    BEGIN
      FOR i IN 0..coalesce(jsonb_array_length(noted), 0) - 4 BY 4 LOOP
        first := jsonb_build_array(noted -> i, noted -> i + 1);
        last := jsonb_build_array(noted -> i + 2, noted -> i + 3);
        IF last <= basis THEN
          spans := spans || first || last;
        ELSE
          is_unseen := true;
          -- An earlier one of the changes that a machine has made on one basis.
          IF first < basis AND last -> 1 = basis -> 1 THEN
            spans := spans || first || basis;
          END IF;
        END IF;
      END LOOP;
      IF is_unseen THEN
        spans := spans || basis || clock;
      END IF;
      IF jsonb_array_length(spans) > 32 THEN
        spans := jsonb_path_query_array(spans, '$[last - 31 to last]');
      END IF;
      RETURN spans;
    END $$;
    REVOKE ALL ON FUNCTION livestore.unseen FROM PUBLIC;

    -- The statements of a push find single rows of a large table by its keys, also while the table is new and
    -- has no statistics that would say so; and their plans do not depend on the arrays. The session is set
    -- for that, once: to set it with each call would take a good part of the time of a small push.
    CREATE OR REPLACE FUNCTION livestore.push(
      to_space bigint, from_replica bigint, with_token uuid, known_version bigint, types text[], keys text[],
      lives bigint[], deletion_stamps bigint[], deletion_replicas bigint[], stamps bigint[], replicas bigint[],
      cell_clocks jsonb[], cells jsonb[], OUT new_version bigint, OUT new_mark bigint, OUT old_version bigint,
      OUT is_taken boolean
    ) LANGUAGE plpgsql SECURITY DEFINER
    SET search_path = pg_catalog, pg_temp
    AS $$
    #variable_conflict use_column
    DECLARE
      caller text := livestore.caller();
      s record;
      m record;
      met bigint := 0;
      changed bigint := 0;
      inserted bigint := 0;
      present_basis text;
      latest bigint;
      cell text;
      basis jsonb;
      clock jsonb;
      change text;
      has_unseen boolean := false;
    BEGIN
      IF current_setting('transaction_isolation') <> 'read committed' THEN
        RAISE EXCEPTION 'A space is changed in transactions that are READ COMMITTED.' USING ERRCODE = '25000';
      END IF;
      -- What a notice can carry. Nothing in it has a control character, but for those that part it.
      IF cardinality(keys) <= 8 AND coalesce(pg_column_size(cells), 0) + coalesce(pg_column_size(cell_clocks), 0)
        <= 1000
      THEN
        change := format(E'%s\t%s\t%s\t%s\t%s\t%s\t%s\t%s\t%s\t%s\t%s', to_json(caller), from_replica,
          array_to_string(types, E'\x1e'), array_to_string(keys, E'\x1e'), array_to_string(lives, E'\x1e'),
          array_to_string(deletion_stamps, E'\x1e', ''), array_to_string(deletion_replicas, E'\x1e', ''),
          array_to_string(stamps, E'\x1e', ''), array_to_string(replicas, E'\x1e', ''),
          array_to_string(cell_clocks, E'\x1e', ''), array_to_string(cells, E'\x1e', ''));
        change := CASE WHEN octet_length(change) <= 1500 THEN change END;
      END IF;
      -- From here to the end of the transaction this is the only one that writes to the space.
      -- All pushes of a transaction make one version. The last changes are kept, since another connection may
      -- announce them later, but no more than the row has room for.
      UPDATE livestore.space x
      SET version = x.version + (x.writer IS DISTINCT FROM pg_current_xact_id())::integer,
        writer = pg_current_xact_id(),
        recent = CASE
          WHEN change IS NULL OR x.writer = pg_current_xact_id() THEN NULL
          WHEN cardinality(x.recent) < 4 AND pg_column_size(x.recent) + octet_length(change) <= 1500
            THEN x.recent || change
          ELSE x.recent[cardinality(x.recent) / 2 + 2:] || change END
      WHERE x.space = to_space RETURNING x.version, x.mark, x.marked, x.basis INTO s;
      SELECT x.rights, y.role, y.token, y.offered, y.seen INTO m
      FROM livestore.member x LEFT JOIN livestore.machine y ON y.space = to_space AND y.replica = from_replica
      WHERE x.space = to_space AND x.role = caller;
      IF m.rights IS NULL THEN
        RAISE EXCEPTION 'There is no such space, or you are no member of it.' USING ERRCODE = 'LS001';
      ELSIF m.rights < 2 THEN
        RAISE EXCEPTION 'You may only read this space.' USING ERRCODE = 'LS002';
      ELSIF m.role IS DISTINCT FROM caller OR with_token IS NULL
        OR (m.token <> with_token AND m.offered IS DISTINCT FROM with_token) THEN
        RAISE EXCEPTION 'Another machine has entered as this one since.' USING ERRCODE = 'LS005';
      ELSIF m.token <> with_token OR m.seen < clock_timestamp() - interval '1 minute' THEN
        UPDATE livestore.machine x
        SET token = with_token, seen = clock_timestamp(), version = known_version,
          offered = nullif(x.offered, with_token)
        WHERE x.space = to_space AND x.replica = from_replica;
      END IF;

      old_version := s.version - 1;
      -- Nearly every push is one cell, later than all of an object that is there. The statement for that is
      -- made ready in a small part of the time of those for everything, with the same outcome. So are its
      -- checks: a value that is a number, a text or none, and a name that is there already.
      IF 1 = ALL (ARRAY[cardinality(types), cardinality(keys), cardinality(lives),
        cardinality(deletion_stamps), cardinality(deletion_replicas), cardinality(stamps),
        cardinality(replicas), cardinality(cell_clocks), cardinality(cells)])
      THEN
        latest := livestore.stamp(clock_timestamp() + interval '5 minutes');
        cell := substring(cell_clocks[1]::text FROM '^\{"<([^"\\]+)": \[[0-9]{1,18}, -?[0-9]{1,18}\]\}$');
        basis := cell_clocks[1] -> ('<' || cell);
        clock := jsonb_build_array(stamps[1], replicas[1]);
      END IF;
      IF jsonb_typeof(cells[1]) = 'object' AND cells[1] - cell = '{}'
        AND (cells[1] -> cell)::text ~ '^("|null$|-?[0-9]{1,18}$)' AND (basis ->> 0)::bigint <= latest
        AND stamps[1] <= latest AND replicas[1] IS NOT NULL
        AND deletion_stamps[1] IS NULL AND deletion_replicas[1] IS NULL
      THEN
        UPDATE livestore.object o
        SET version = s.version, author = caller, machine = nullif(from_replica, o.replica),
          is_merged = o.version > known_version,
          clocks = coalesce(o.clocks, '{}') - ('<' || cell) || jsonb_build_object(cell, clock)
            || cell_clocks[1],
          data = o.data || cells[1]
        WHERE o.space = to_space AND o.type = types[1] AND o.key = keys[1] AND o.life = lives[1]
          AND o.deletion_stamp IS NULL AND o.data ? cell AND o.data - cell <> '{}'
          AND (stamps[1], replicas[1]) > (o.stamp, o.replica)
          AND (clock > o.clocks -> cell) IS NOT FALSE
          -- What it replaces was made on the same machine, or known there.
          AND (coalesce((o.clocks -> cell ->> 1)::bigint, o.replica) = replicas[1]
            OR coalesce(o.clocks -> cell, jsonb_build_array(o.stamp, o.replica)) <= basis)
          AND (o.clocks ? ('!' || cell)) IS NOT TRUE;
        GET DIAGNOSTICS changed = ROW_COUNT;
        met := changed;
        is_taken := true;
      END IF;
      IF met = 0 THEN
        is_taken := livestore.require_valid(
          to_space, types, keys, lives, deletion_stamps, deletion_replicas, stamps, replicas, cell_clocks,
          cells);
      END IF;
      IF met = 0 AND s.version > 1 THEN
        WITH incoming AS (
          SELECT i.* FROM unnest(
            types, keys, lives, deletion_stamps, deletion_replicas, stamps, replicas, cell_clocks, cells
          ) AS i (type, key, life, deletion_stamp, deletion_replica, stamp, replica, clocks, data)
        ), met AS MATERIALIZED (
          SELECT i.*, e.row, e.data AS own_data, c.won, c.won_clocks, c.won_bases, c.won_unseen,
            c.won_names, c.won_base_names,
            -- The whole state is replaced by the incoming one, or stays as it is.
            i.life > e.life OR i.life = e.life AND i.deletion_stamp IS NOT NULL AND (
              e.deletion_stamp IS NULL
              OR (i.deletion_stamp, i.deletion_replica) > (e.deletion_stamp, e.deletion_replica)) AS replaces,
            c.has_lost OR i.life < e.life OR i.life = e.life AND e.deletion_stamp IS NOT NULL AND (
              i.deletion_stamp IS NULL
              OR (i.deletion_stamp, i.deletion_replica) < (e.deletion_stamp, e.deletion_replica)) AS has_lost
          FROM incoming i
          -- The limit keeps the order: for each object that comes the one that is there.
          CROSS JOIN LATERAL (
            SELECT x.ctid AS row, x.* FROM livestore.object x
            WHERE x.space = to_space AND x.type = i.type AND x.key = i.key LIMIT 1
          ) AS e
          CROSS JOIN LATERAL (
            SELECT jsonb_object_agg(d.name, d.value) FILTER (WHERE d.wins) AS won,
              jsonb_object_agg(d.name, d.clock)
                FILTER (WHERE d.wins AND d.clock <> jsonb_build_array(e.stamp, e.replica)) AS won_clocks,
              jsonb_object_agg('<' || d.name, d.basis)
                FILTER (WHERE d.wins AND d.basis IS NOT NULL) AS won_bases,
              jsonb_object_agg('!' || d.name, livestore.unseen(d.noted, d.own_clock, d.clock, d.basis))
                FILTER (WHERE d.wins AND d.own IS NOT NULL AND d.basis IS NOT NULL
                  AND (d.basis < d.own_clock AND d.own_clock -> 1 <> d.clock -> 1 OR d.noted IS NOT NULL))
                AS won_unseen,
              array_agg(d.name) FILTER (WHERE d.wins) AS won_names,
              array_agg('<' || d.name) FILTER (WHERE d.wins) AS won_base_names,
              coalesce(bool_or(NOT d.wins AND (d.clock <> d.own_clock OR d.value <> d.own)), false) AS has_lost
            FROM (
              SELECT n.name, n.value, k.own, k.clock, k.own_clock, k.basis, k.noted,
                k.own IS NULL OR k.clock > k.own_clock
                OR k.clock = k.own_clock AND n.value <> k.own AND livestore.precedes(k.own, n.value) AS wins
              -- No names, and so nothing to do, where cells do not decide or are the same.
              FROM jsonb_each(CASE
                WHEN i.life = e.life AND i.deletion_stamp IS NULL AND e.deletion_stamp IS NULL
                  AND NOT (i.stamp = e.stamp AND i.replica = e.replica AND i.data = e.data
                    AND i.clocks IS NOT DISTINCT FROM e.clocks)
                THEN i.data END) AS n (name, value)
              CROSS JOIN LATERAL (
                SELECT e.data -> n.name AS own,
                  i.clocks -> ('<' || n.name) AS basis, e.clocks -> ('!' || n.name) AS noted,
                  coalesce(i.clocks -> n.name, jsonb_build_array(i.stamp, i.replica)) AS clock,
                  coalesce(e.clocks -> n.name, jsonb_build_array(e.stamp, e.replica)) AS own_clock
                OFFSET 0
              ) AS k
            ) AS d
          ) AS c
        ), changing AS (
          SELECT m.*, m.replaces OR m.own_data - m.won_names = '{}' AS takes_all
          FROM met m WHERE m.replaces OR m.won IS NOT NULL
        ), changed AS (
          UPDATE livestore.object o
          SET version = s.version, life = m.life, deletion_stamp = m.deletion_stamp,
            deletion_replica = m.deletion_replica, author = caller,
            machine = nullif(from_replica, CASE WHEN m.takes_all THEN m.replica ELSE o.replica END),
            is_merged = NOT m.replaces AND o.version > known_version,
            stamp = CASE WHEN m.takes_all THEN m.stamp ELSE o.stamp END,
            replica = CASE WHEN m.takes_all THEN m.replica ELSE o.replica END,
            clocks = CASE
              WHEN m.takes_all THEN nullif(coalesce(m.clocks, '{}') || coalesce(m.won_unseen, '{}'), '{}')
              ELSE nullif(coalesce(o.clocks, '{}') - m.won_names - m.won_base_names
                || coalesce(m.won_clocks, '{}') || coalesce(m.won_bases, '{}')
                || coalesce(m.won_unseen, '{}'), '{}') END,
            data = CASE WHEN m.takes_all THEN m.data ELSE o.data || m.won END
          FROM changing m
          WHERE o.ctid = m.row
          RETURNING 1
        )
        SELECT (SELECT count(*) FROM changed), count(*), coalesce(NOT bool_or(m.has_lost), true),
          coalesce(bool_or(m.won_unseen IS NOT NULL), false)
        INTO changed, met, is_taken, has_unseen FROM met m;
      END IF;

      IF met < cardinality(keys) THEN
        INSERT INTO livestore.object (
          space, type, key, version, life, deletion_stamp, deletion_replica, stamp, replica, machine, is_merged,
          author, clocks, data)
        SELECT to_space, i.type, i.key, s.version, i.life, i.deletion_stamp, i.deletion_replica, i.stamp,
          i.replica, nullif(from_replica, i.replica), false, caller, nullif(i.clocks, '{}'), i.data
        FROM unnest(
          types, keys, lives, deletion_stamps, deletion_replicas, stamps, replicas, cell_clocks, cells
        ) AS i (type, key, life, deletion_stamp, deletion_replica, stamp, replica, clocks, data)
        ON CONFLICT (space, type, key) DO NOTHING;
        GET DIAGNOSTICS inserted = ROW_COUNT;
      END IF;

      new_version := s.version;
      new_mark := s.mark;
      IF changed + inserted = 0 THEN
        IF NOT EXISTS (SELECT FROM livestore.object o
          WHERE o.space = to_space AND o.version = new_version AND o.version > 0) THEN
          new_version := old_version;
          UPDATE livestore.space x SET version = old_version, writer = NULL, recent = NULL
          WHERE x.space = to_space;
        END IF;
        RETURN;
      END IF;
      -- Committed with the push, before it is looked whether another connection gathers.
      INSERT INTO livestore.unannounced (space, version)
      SELECT to_space, s.version FROM livestore.pace p WHERE p.pause > 0;
      -- What was replaced unseen is found out here, and by no machine; and what has lost is not in the space.
      IF has_unseen OR NOT is_taken THEN
        UPDATE livestore.space x SET recent = NULL WHERE x.space = to_space;
      END IF;
      -- The path of a table's file names the database and the table by numbers that are given once.
      present_basis := pg_postmaster_start_time()::text || ' ' || pg_relation_filepath('livestore.object');
      IF s.basis IS DISTINCT FROM present_basis OR s.marked < clock_timestamp() - interval '10 minutes' THEN
        new_mark := livestore.random_number();
        INSERT INTO livestore.line (space, version, mark) VALUES (to_space, new_version, new_mark)
        ON CONFLICT (space, version) DO UPDATE SET mark = EXCLUDED.mark;
        UPDATE livestore.space x
        SET mark = new_mark, marked = clock_timestamp(), basis = present_basis, recent = NULL
        WHERE x.space = to_space;
      END IF;
    END $$;

    -- Forgets deletions that are older than 90 days and that every machine has which was there in that time;
    -- returns how many. A machine that was away since before the last of them is told when it enters. At most
    -- once a day: the machines of all members call it.
    CREATE OR REPLACE FUNCTION livestore.prune(in_space bigint) RETURNS bigint
    LANGUAGE plpgsql SECURITY DEFINER SET search_path = pg_catalog, pg_temp AS $$
    DECLARE
      s livestore.space;
      forgotten bigint;
      last bigint;
    BEGIN
      IF NOT EXISTS (SELECT FROM livestore.member x
        WHERE x.space = in_space AND x.role = livestore.caller() AND x.rights >= 2) THEN
        RAISE EXCEPTION 'You may not change this space.' USING ERRCODE = 'LS002';
      END IF;
      -- Nobody waits for a look at the time; only one of those who are to prune gets past the second one.
      PERFORM FROM livestore.space x
      WHERE x.space = in_space AND x.last_pruning > clock_timestamp() - interval '1 day';
      IF FOUND THEN
        RETURN 0;
      END IF;
      SELECT x.* INTO s FROM livestore.space x WHERE x.space = in_space FOR NO KEY UPDATE;
      IF s.last_pruning > clock_timestamp() - interval '1 day' THEN
        RETURN 0;
      END IF;
      WITH deleted AS (
        DELETE FROM livestore.object o
        WHERE o.space = in_space
          AND o.deletion_stamp < livestore.stamp(clock_timestamp() - interval '90 days')
          AND o.version <= coalesce((
            SELECT min(m.version) FROM livestore.machine m JOIN livestore.member USING (space, role)
            WHERE m.space = in_space AND m.seen > clock_timestamp() - interval '90 days'), s.version)
        RETURNING o.version
      )
      SELECT count(*), max(version) INTO forgotten, last FROM deleted;
      UPDATE livestore.space x
      SET last_pruning = clock_timestamp(), pruned = greatest(x.pruned, last) WHERE x.space = in_space;
      IF forgotten > 0 THEN
        DELETE FROM livestore.line l WHERE l.space = in_space AND l.version < (
          SELECT max(k.version) FROM livestore.line k WHERE k.space = in_space AND k.version <= last);
      END IF;
      RETURN forgotten;
    END $$;
    """#
}
