extension ServerSchema {
  /// The functions that tell machines what others have pushed, with the rights of the owner of the tables.
  ///
  /// ``ChangeNotice`` reads what they send.
  static let announcing = #"""
    -- The milliseconds for which pushes are gathered: a sixth for each connection beyond the first 50, since
    -- each announcement wakes all of them.
    CREATE OR REPLACE FUNCTION livestore.pause_of_announcements() RETURNS bigint LANGUAGE sql STABLE
    RETURN (
      SELECT greatest(pg_catalog.pg_stat_get_db_numbackends(d.oid) - 50, 0) / 6
      FROM pg_catalog.pg_database d WHERE d.datname = pg_catalog.current_database());
    REVOKE ALL ON FUNCTION livestore.pause_of_announcements FROM PUBLIC;

    -- Finds that pause anew.
    CREATE OR REPLACE FUNCTION livestore.count_connections() RETURNS void
    LANGUAGE plpgsql SET search_path = pg_catalog, pg_temp AS $$
    BEGIN
      -- No push waits for another that counts.
      PERFORM FROM livestore.pace p
      WHERE (p.counted BETWEEN clock_timestamp() - interval '5 seconds' AND clock_timestamp()) IS NOT TRUE
      FOR UPDATE SKIP LOCKED;
      IF FOUND THEN
        UPDATE livestore.pace p
        SET counted = clock_timestamp(), pause = d.pause,
          since = CASE WHEN p.pause = 0 AND d.pause > 0 THEN clock_timestamp() ELSE p.since END
        FROM (SELECT livestore.pause_of_announcements() AS pause) AS d;
      ELSIF NOT EXISTS (SELECT FROM livestore.pace) THEN
        INSERT INTO livestore.pace DEFAULT VALUES ON CONFLICT DO NOTHING;
        INSERT INTO livestore.turn VALUES (1), (2) ON CONFLICT DO NOTHING;
      END IF;
    END $$;
    REVOKE ALL ON FUNCTION livestore.count_connections FROM PUBLIC;

    -- Waits until no other connection announces what was gathered, but not for long.
    CREATE OR REPLACE FUNCTION livestore.take_turn() RETURNS void
    LANGUAGE plpgsql SET search_path = pg_catalog, pg_temp SET lock_timeout = '1s' AS $$
    BEGIN
      PERFORM FROM livestore.turn t WHERE t.step = 2 FOR UPDATE;
    EXCEPTION WHEN lock_not_available THEN
      NULL;
    END $$;
    REVOKE ALL ON FUNCTION livestore.take_turn FROM PUBLIC;

    -- The text that the machines of a space are sent: its version; its mark and the changes since another
    -- version; and for each machine that listens a tag that only the server and that machine can make of the
    -- lines before, since any member may send notices too.
    CREATE OR REPLACE FUNCTION livestore.notice(
      in_space bigint, present_version bigint, present_mark bigint, recent text[], since bigint
    ) RETURNS text LANGUAGE plpgsql SET search_path = pg_catalog, pg_temp AS $$
    DECLARE
      notice text := present_version;
      changes text[] := recent[greatest(cardinality(recent) - (present_version - since) + 1, 1):];
      digest bytea;
    BEGIN
      IF coalesce(changes, '{}') = '{}' THEN
        RETURN notice;
      END IF;
      notice := notice || E'\n' || present_mark || E'\n' || array_to_string(changes, E'\n');
      digest := sha256(convert_to(notice, 'UTF8'));
      notice := notice || E'\n' || coalesce((
        SELECT string_agg(encode(substr(sha256(convert_to(t.key, 'UTF8') || digest), 1, 12), 'base64'), ' ')
        FROM (
          SELECT r.key FROM livestore.receiver r JOIN livestore.machine m USING (space, replica)
          WHERE r.space = in_space AND m.seen > clock_timestamp() - interval '2 minutes' LIMIT 100
        ) AS t), '');
      -- PostgreSQL takes less than 8,000 bytes.
      RETURN CASE WHEN octet_length(notice) < 7900 THEN notice ELSE present_version::text END;
    END $$;
    REVOKE ALL ON FUNCTION livestore.notice FROM PUBLIC;

    -- Wakes the machines of a space, or leaves that to another connection. In a transaction of its own, after
    -- the push: commits that notify wait for one another, in all databases of a server, until each is on the
    -- disk. 16 clients made 80 pushes a second with it and 640 without.
    --
    -- Each such commit wakes every connection of the database that listens, whatever it listens to. So the
    -- more there are, the fewer commits announce. Within a pause of the last one, the first connection that
    -- has pushed gathers the pushes of the others until its end, and until the last announcement has ended;
    -- they find that it does, and go on. The result is whether the caller is to announce what was gathered,
    -- in its next transaction. What others have pushed before they found this one at it has been committed
    -- then, so that nothing is left.
    --
    -- Connections that gather come one pause after the other, whether the ones before have announced yet or
    -- not: on a busy server that lasts, and each that came meanwhile would wait to announce as well.
    --
    -- A connection that goes before it announces leaves that to the next that pushes. Should one keep the row
    -- for more than a second, another announces in its place. No more than one in a second: when all did that
    -- a late server had kept waiting, it was later still.
    CREATE OR REPLACE FUNCTION livestore.announce(in_space bigint) RETURNS boolean
    LANGUAGE plpgsql SECURITY DEFINER SET search_path = pg_catalog, pg_temp AS $$
    DECLARE
      p livestore.pace;
      present timestamptz := clock_timestamp();
      gathers boolean;
      elapsed bigint;
    BEGIN
      IF NOT EXISTS (
        SELECT FROM livestore.member m WHERE m.space = in_space AND m.role = livestore.caller()) THEN
        RETURN false;
      END IF;
      SELECT x.* INTO p FROM livestore.pace x;
      IF (p.counted BETWEEN present - interval '5 seconds' AND present) IS NOT TRUE THEN
        PERFORM livestore.count_connections();
      END IF;
      -- On a server of few machines no announcement waits. Where there have been many for a moment only, the
      -- push may not have known.
      IF p.pause > 0 AND p.since NOT BETWEEN present - interval '2 seconds' AND present THEN
        PERFORM FROM livestore.turn t WHERE t.step = 1 FOR UPDATE SKIP LOCKED;
        gathers := FOUND;
        -- Less than 0 where the clock was set back.
        elapsed := extract(epoch FROM clock_timestamp()) * 1000 - g.last_value FROM livestore.gathered g;
        IF gathers THEN
          IF elapsed BETWEEN 0 AND p.pause THEN
            PERFORM pg_sleep((p.pause - elapsed) / 1000.0);
          END IF;
          PERFORM livestore.take_turn();
        ELSIF elapsed BETWEEN 0 AND p.pause + 1000 THEN
          RETURN false;
        END IF;
        PERFORM setval('livestore.gathered', (extract(epoch FROM clock_timestamp()) * 1000)::bigint);
        RETURN true;
      END IF;
      -- With the changes before it, since several may be announced at a time.
      PERFORM pg_notify(c.name, livestore.notice(s.space, s.version, s.mark, s.recent, s.version - 4))
      FROM livestore.space s JOIN livestore.channel c USING (space) WHERE s.space = in_space;
      RETURN false;
    END $$;

    -- Announces the pushes that were gathered, but for those that another connection is announcing.
    CREATE OR REPLACE FUNCTION livestore.announce_gathered() RETURNS void
    LANGUAGE plpgsql SECURITY DEFINER SET search_path = pg_catalog, pg_temp AS $$
    DECLARE
      announced bigint;
    BEGIN
      -- One at a time: while a server that is busy announces, more is gathered, for one announcement.
      PERFORM livestore.take_turn();
      WITH taken AS (
        DELETE FROM livestore.unannounced u
        WHERE u.ctid = ANY (ARRAY(SELECT x.ctid FROM livestore.unannounced x FOR UPDATE SKIP LOCKED))
        RETURNING u.space, u.version
      ), pushed AS (
        SELECT t.space, min(t.version) - 1 AS since FROM taken t GROUP BY t.space
      )
      -- Every connection of the database reads all of it. PostgreSQL keeps the last 64 kB of notices in
      -- memory; more than that, each of the connections would read from a file.
      SELECT count(pg_notify(n.name, CASE WHEN n.size <= 40000 THEN n.notice ELSE n.version::text END))
      INTO announced
      FROM (
        SELECT m.*, sum(octet_length(m.notice) + 64) OVER (ROWS UNBOUNDED PRECEDING) AS size
        FROM (
          SELECT c.name, s.version, livestore.notice(s.space, s.version, s.mark, s.recent, p.since) AS notice
          FROM pushed p JOIN livestore.space s USING (space) JOIN livestore.channel c USING (space)
          OFFSET 0
        ) AS m
      ) AS n;
    END $$;
    """#
}
