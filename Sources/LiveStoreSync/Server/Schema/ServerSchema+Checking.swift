extension ServerSchema {
  /// The checks of what a push contains, and of what a machine says of itself.
  ///
  /// A member may call the functions with anything, and the programs of all others have to read it. Nothing
  /// that a program of any version says is refused.
  static let checking = #"""
    -- Whether a value is one that JSONWriting writes.
    CREATE OR REPLACE FUNCTION livestore.is_integer(value jsonb) RETURNS boolean LANGUAGE sql IMMUTABLE
    RETURN pg_catalog.jsonb_typeof(value) = 'number' AND value #>> '{}' ~ '^-?[0-9]{1,19}$'
      AND value >= '-9223372036854775808' AND value <= '9223372036854775807';

    CREATE OR REPLACE FUNCTION livestore.is_value(value jsonb) RETURNS boolean LANGUAGE sql IMMUTABLE
    RETURN CASE pg_catalog.jsonb_typeof(value)
      WHEN 'string' THEN true
      WHEN 'null' THEN true
      WHEN 'number' THEN livestore.is_integer(value)
      WHEN 'object' THEN CASE
        WHEN pg_catalog.jsonb_path_exists(value, '$.* ? (@.type() != "string")') THEN false
        WHEN value ? 'r' THEN value - 'r' = '{}' AND value ->> 'r' ~
          '^-?([0-9]+(\.[0-9]+)?(e[-+]?[0-9]+)?|inf)$'
        WHEN value - '{b,m,t}'::text[] <> '{}' THEN false
        ELSE coalesce(value ->> 't', value ->> 'm', value ->> 'b') ~
          '^([A-Za-z0-9+/]{4})*([A-Za-z0-9+/]{2}==|[A-Za-z0-9+/]{3}=)?$' END
      ELSE false END;

    CREATE OR REPLACE FUNCTION livestore.is_clock(value jsonb) RETURNS boolean LANGUAGE sql IMMUTABLE
    RETURN CASE WHEN pg_catalog.jsonb_typeof(value) = 'array' THEN pg_catalog.jsonb_array_length(value) = 2
        AND livestore.is_integer(value -> 0) AND livestore.is_integer(value -> 1)
      ELSE false END;

    -- The name of a cell: programs keep names on lines of their own.
    CREATE OR REPLACE FUNCTION livestore.is_name(name text) RETURNS boolean LANGUAGE sql IMMUTABLE
    RETURN pg_catalog.length(name) BETWEEN 1 AND 500 AND name !~ '[\x01-\x1f\x7f]';

    -- Raises an error if a push contains what no program writes. Names of cells are looked at once for all.
    -- Each statement takes a good part of the time of a small push: there are as few as can be, and a
    -- function with a result is called without one.
    CREATE OR REPLACE FUNCTION livestore.require_valid(
      to_space bigint, types text[], keys text[], lives bigint[], deletion_stamps bigint[],
      deletion_replicas bigint[], stamps bigint[], replicas bigint[], cell_clocks jsonb[], cells jsonb[]
    ) RETURNS boolean LANGUAGE plpgsql STABLE SET search_path = pg_catalog, pg_temp
    -- A plan that does not depend on the arrays would sort all cells, on the disk.
    SET enable_sort = off
    AS $$
    DECLARE
      problem text;
      last_stamp bigint;
      last_clock bigint;
    BEGIN
      IF cardinality(keys) <> ANY (ARRAY[cardinality(types), cardinality(lives), cardinality(deletion_stamps),
        cardinality(deletion_replicas), cardinality(stamps), cardinality(replicas), cardinality(cell_clocks),
        cardinality(cells)])
      THEN
        problem := 'lists of different lengths';
      ELSE
        SELECT min(c.problem), max(greatest(i.stamp, i.deletion_stamp)) INTO problem, last_stamp
        FROM unnest(
          types, keys, lives, deletion_stamps, deletion_replicas, stamps, replicas, cell_clocks, cells
        ) AS i (type, key, life, deletion_stamp, deletion_replica, stamp, replica, clocks, data)
        CROSS JOIN LATERAL (SELECT CASE
          WHEN livestore.is_name(i.type) IS NOT TRUE THEN 'an object of no class'
          WHEN i.key IS NULL
            OR i.key !~ '^("([^"\\\x01-\x1f]|\\["\\]|\\u00[01][0-9a-f])*"|-?[1-9][0-9]{0,18}|0)$'
            OR left(i.key, 1) <> '"' AND NOT livestore.is_integer(i.key::jsonb)
            THEN 'a key that is neither a text nor a whole number'
          -- Also on a machine that is apart for long, an object lives once more for each time it was deleted.
          WHEN i.life IS NULL OR i.life < 0 OR i.life > 4294967296 AND i.life - 4294967296 > coalesce((
              SELECT o.life FROM livestore.object o
              WHERE o.space = to_space AND o.type = i.type AND o.key = i.key), 0)
            THEN 'an object that was brought back too often'
          WHEN (i.deletion_stamp IS NULL) <> (i.deletion_replica IS NULL)
            OR (i.deletion_stamp IS NULL) <> (i.data IS NOT NULL)
            THEN 'an object that is neither there nor deleted'
          WHEN jsonb_typeof(i.data) <> 'object' OR jsonb_typeof(i.clocks) <> 'object'
            THEN 'cells without names'
          WHEN (i.stamp IS NULL) <> (i.replica IS NULL) OR i.stamp IS NULL AND i.data <> '{}'
            THEN 'a value without a time' END) AS c (problem);
      END IF;
      IF problem IS NULL THEN
        SELECT CASE
          WHEN NOT livestore.is_name(n.name) THEN 'a cell without a name'
          ELSE 'a cell that is no value' END
        INTO problem
        FROM (
          SELECT (e.cell).key, bool_and(coalesce(livestore.is_value((e.cell).value), false))
          FROM (SELECT jsonb_each(d) FROM unnest(cells) AS d) AS e (cell) GROUP BY (e.cell).key
        ) AS n (name, are_values)
        WHERE NOT n.are_values OR NOT livestore.is_name(n.name) LIMIT 1;
      END IF;
      IF problem IS NULL AND array_remove(cell_clocks, NULL) <> '{}' THEN
        SELECT max(CASE
            WHEN NOT livestore.is_name(n.name) THEN 'a cell without a name'
            WHEN NOT n.are_clocks THEN 'a value without a time' END), max(n.last)
        INTO problem, last_clock
        FROM (
          SELECT (e.clock).key, bool_and(livestore.is_clock((e.clock).value)),
            max(CASE WHEN livestore.is_clock((e.clock).value) THEN ((e.clock).value ->> 0)::bigint END)
          FROM (SELECT jsonb_each(d) FROM unnest(cell_clocks) AS d) AS e (clock) GROUP BY (e.clock).key
        ) AS n (name, are_clocks, last);
      END IF;
      IF problem IS NOT NULL THEN
        RAISE EXCEPTION 'A change contains %, which no machine could read.', problem USING ERRCODE = 'LS009';
      -- Where the clock of the server has gone back, changes are dated just after the last one of the space.
      ELSIF greatest(last_stamp, last_clock) > livestore.stamp(clock_timestamp() + interval '5 minutes')
        AND greatest(last_stamp, last_clock) - 65536 > coalesce((
          SELECT max(greatest(o.stamp, o.deletion_stamp, (
            SELECT max((c.value ->> 0)::bigint) FROM jsonb_each(o.clocks) AS c)))
          FROM livestore.object o WHERE o.space = to_space), 0)
      THEN
        RAISE EXCEPTION 'A change is dated more than 5 minutes ahead of the server''s clock.'
        USING ERRCODE = 'LS004';
      END IF;
      RETURN true;
    END $$;
    REVOKE ALL ON FUNCTION livestore.is_integer, livestore.is_value, livestore.is_clock, livestore.is_name,
      livestore.require_valid FROM PUBLIC;

    -- A person names a space, and all others type that name to join it, after the creator's and a "/" where
    -- two have the same. No constraint: an older server may have let another name be, and its row changes
    -- with each push.
    CREATE OR REPLACE FUNCTION livestore.check_space_name() RETURNS trigger
    LANGUAGE plpgsql SET search_path = pg_catalog, pg_temp AS $$
    BEGIN
      IF NEW.name ~ '[/\x01-\x1f\x7f-\x9f]' THEN
        RAISE EXCEPTION 'The name of a space is one line without a “/”.' USING ERRCODE = 'LS009';
      END IF;
      RETURN NEW;
    END $$;
    REVOKE ALL ON FUNCTION livestore.check_space_name FROM PUBLIC;
    CREATE OR REPLACE TRIGGER check_space_name BEFORE INSERT OR UPDATE OF name ON livestore.space
    FOR EACH ROW EXECUTE FUNCTION livestore.check_space_name();

    -- A machine says of itself what all others show.
    CREATE OR REPLACE FUNCTION livestore.check_machine() RETURNS trigger
    LANGUAGE plpgsql SET search_path = pg_catalog, pg_temp AS $$
    BEGIN
      IF length(NEW.name) > 255 OR NEW.name ~ '[\x01-\x1f\x7f]' THEN
        RAISE EXCEPTION 'The name of a machine is one line of at most 255 characters.'
        USING ERRCODE = 'LS009';
      ELSIF NEW.version NOT BETWEEN 0 AND 9007199254740992 THEN
        RAISE EXCEPTION 'There is no version % of a space.', NEW.version USING ERRCODE = 'LS009';
      ELSIF NOT isfinite(NEW.seen) OR NEW.seen > clock_timestamp() + interval '1 day' THEN
        RAISE EXCEPTION 'A machine cannot have been seen later than now.' USING ERRCODE = 'LS009';
      ELSIF TG_OP = 'INSERT' AND (
        SELECT count(*) FROM (
          SELECT FROM livestore.machine m WHERE m.space = NEW.space AND m.role = NEW.role LIMIT 1000) AS m
      ) = 1000 THEN
        RAISE EXCEPTION 'You have 1000 machines in this space: let some of them leave it first.'
        USING ERRCODE = 'LS009';
      END IF;
      RETURN NEW;
    END $$;
    REVOKE ALL ON FUNCTION livestore.check_machine FROM PUBLIC;
    CREATE OR REPLACE TRIGGER check_machine BEFORE INSERT OR UPDATE ON livestore.machine
    FOR EACH ROW EXECUTE FUNCTION livestore.check_machine();
    """#
}
