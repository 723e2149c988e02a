extension ServerSchema {
  /// The functions of spaces, members and machines. Those that change something run with the rights of the
  /// caller.
  static let functions = #"""
    -- The rights of the role that asks. A view reads its tables as its owner, so that policies can use it, also
    -- that of the table itself, without a function that has more rights than its caller.
    CREATE OR REPLACE VIEW livestore.own_right WITH (security_barrier) AS
    SELECT space, rights FROM livestore.member WHERE role = current_user::text;

    -- The names of roles, which everybody may know who may connect.
    CREATE OR REPLACE FUNCTION livestore.role_exists(name text) RETURNS boolean LANGUAGE sql STABLE
    RETURN EXISTS (SELECT FROM pg_catalog.pg_roles r WHERE r.rolname = name);

    -- A transaction of another isolation would see the rights that roles had when it began.
    CREATE OR REPLACE FUNCTION livestore.require_present() RETURNS trigger
    LANGUAGE plpgsql SET search_path = pg_catalog, pg_temp AS $$
    BEGIN
      IF current_setting('transaction_isolation') <> 'read committed' THEN
        RAISE EXCEPTION 'A space is changed in transactions that are READ COMMITTED.' USING ERRCODE = '25000';
      END IF;
      RETURN NULL;
    END $$;
    CREATE OR REPLACE TRIGGER require_present BEFORE UPDATE OF name OR DELETE ON livestore.space
    FOR EACH STATEMENT EXECUTE FUNCTION livestore.require_present();
    CREATE OR REPLACE TRIGGER require_present BEFORE INSERT OR UPDATE OR DELETE ON livestore.member
    FOR EACH STATEMENT EXECUTE FUNCTION livestore.require_present();

    CREATE OR REPLACE FUNCTION livestore.create_space(new_name text) RETURNS bigint
    LANGUAGE plpgsql SET search_path = pg_catalog, pg_temp AS $$
    BEGIN
      -- The row can be read when its creator is a member, which is so after the statement.
      INSERT INTO livestore.space (name) VALUES (new_name);
      RETURN (
        SELECT s.space FROM livestore.space s WHERE s.creator = current_user::text AND s.name = new_name);
    EXCEPTION WHEN unique_violation THEN
      RAISE EXCEPTION 'You already have a space named %.', new_name USING ERRCODE = 'LS008';
    END $$;

    -- As the owner: before it has members, nobody may add one.
    CREATE OR REPLACE FUNCTION livestore.add_creator() RETURNS trigger
    LANGUAGE plpgsql SECURITY DEFINER SET search_path = pg_catalog, pg_temp AS $$
    BEGIN
      INSERT INTO livestore.channel (space) VALUES (NEW.space);
      INSERT INTO livestore.member (space, role, rights) VALUES (NEW.space, NEW.creator, 3);
      RETURN NULL;
    END $$;
    CREATE OR REPLACE TRIGGER add_creator AFTER INSERT ON livestore.space
    FOR EACH ROW EXECUTE FUNCTION livestore.add_creator();

    -- As the owner: nobody else may delete objects. A reference for each object would double the time of a push.
    CREATE OR REPLACE FUNCTION livestore.delete_objects() RETURNS trigger
    LANGUAGE plpgsql SECURITY DEFINER SET search_path = pg_catalog, pg_temp AS $$
    BEGIN
      DELETE FROM livestore.object o WHERE o.space = OLD.space;
      RETURN NULL;
    END $$;
    CREATE OR REPLACE TRIGGER delete_objects AFTER DELETE ON livestore.space
    FOR EACH ROW EXECUTE FUNCTION livestore.delete_objects();

    -- As the owner: a manager who was removed while this waits for the lock would see no members at all.
    CREATE OR REPLACE FUNCTION livestore.keep_manager() RETURNS trigger
    LANGUAGE plpgsql SECURITY DEFINER SET search_path = pg_catalog, pg_temp AS $$
    BEGIN
      IF OLD.rights < 3 OR (TG_OP = 'UPDATE' AND NEW.rights = 3) THEN
        RETURN CASE TG_OP WHEN 'DELETE' THEN OLD ELSE NEW END;
      END IF;
      -- Two managers must not remove one another at the same time.
      PERFORM pg_advisory_xact_lock(OLD.space);
      IF NOT EXISTS (
        SELECT FROM livestore.member m WHERE m.space = OLD.space AND m.rights = 3 AND m.role <> OLD.role
      ) AND EXISTS (SELECT FROM livestore.space s WHERE s.space = OLD.space) THEN
        RAISE EXCEPTION 'A space keeps at least one manager.' USING ERRCODE = 'LS006';
      END IF;
      RETURN CASE TG_OP WHEN 'DELETE' THEN OLD ELSE NEW END;
    END $$;
    CREATE OR REPLACE TRIGGER keep_manager BEFORE UPDATE OR DELETE ON livestore.member
    FOR EACH ROW EXECUTE FUNCTION livestore.keep_manager();

    -- The machines of the members ask what they may do now, and which machines there are: they show one that
    -- is new, and need its name before its first change. As the owner: only members know the channel.
    CREATE OR REPLACE FUNCTION livestore.notify_members() RETURNS trigger
    LANGUAGE plpgsql SECURITY DEFINER SET search_path = pg_catalog, pg_temp AS $$
    BEGIN
      PERFORM pg_notify(c.name, '') FROM livestore.channel c WHERE c.space = coalesce(NEW.space, OLD.space);
      -- The others listen to another channel when they have asked.
      IF TG_OP = 'DELETE' AND TG_TABLE_NAME = 'member' THEN
        UPDATE livestore.channel c SET name = DEFAULT WHERE c.space = OLD.space;
      END IF;
      RETURN OLD;
    END $$;
    REVOKE ALL ON FUNCTION livestore.notify_members FROM PUBLIC;
    CREATE OR REPLACE TRIGGER notify_members BEFORE DELETE ON livestore.space
    FOR EACH ROW EXECUTE FUNCTION livestore.notify_members();
    CREATE OR REPLACE TRIGGER notify_members AFTER INSERT OR UPDATE OR DELETE ON livestore.member
    FOR EACH ROW EXECUTE FUNCTION livestore.notify_members();
    CREATE OR REPLACE TRIGGER notify_members AFTER INSERT ON livestore.machine
    FOR EACH ROW EXECUTE FUNCTION livestore.notify_members();

    -- The channel on which a machine of the caller is notified, and the key by which it knows what is the
    -- server's.
    CREATE OR REPLACE FUNCTION livestore.listen(
      in_space bigint, as_replica bigint, with_token uuid, OUT channel text, OUT key text
    ) LANGUAGE plpgsql SECURITY DEFINER SET search_path = pg_catalog, pg_temp AS $$
    DECLARE
      m record;
    BEGIN
      SELECT x.role, y.role AS machine_role, y.token, y.offered INTO m
      FROM livestore.member x LEFT JOIN livestore.machine y ON y.space = in_space AND y.replica = as_replica
      WHERE x.space = in_space AND x.role = livestore.caller();
      IF m.role IS NULL THEN
        RAISE EXCEPTION 'There is no such space, or you are no member of it.' USING ERRCODE = 'LS001';
      ELSIF m.machine_role IS DISTINCT FROM m.role OR with_token IS NULL
        OR (m.token <> with_token AND m.offered IS DISTINCT FROM with_token) THEN
        RAISE EXCEPTION 'Another machine has entered as this one since.' USING ERRCODE = 'LS005';
      END IF;
      listen.channel := (SELECT c.name FROM livestore.channel c WHERE c.space = in_space);
      listen.key := gen_random_uuid()::text || gen_random_uuid()::text;
      INSERT INTO livestore.receiver AS r (space, replica, key) VALUES (in_space, as_replica, listen.key)
      ON CONFLICT (space, replica) DO UPDATE SET key = excluded.key;
    END $$;

    -- Rights of 0 remove the member.
    CREATE OR REPLACE FUNCTION livestore.share(in_space bigint, with_role text, new_rights integer) RETURNS void
    LANGUAGE plpgsql SET search_path = pg_catalog, pg_temp AS $$
    DECLARE
      own integer := (SELECT r.rights FROM livestore.own_right r WHERE r.space = in_space);
    BEGIN
      IF own IS NULL THEN
        RAISE EXCEPTION 'There is no such space, or you are no member of it.' USING ERRCODE = 'LS001';
      ELSIF own < 3 AND NOT (new_rights = 0 AND with_role = current_user::text) THEN
        RAISE EXCEPTION 'Only its managers may share a space.' USING ERRCODE = 'LS003';
      ELSIF new_rights = 0 THEN
        DELETE FROM livestore.member m WHERE m.space = in_space AND m.role = with_role;
        IF NOT FOUND THEN
          RAISE EXCEPTION '% is no member of the space.', with_role USING ERRCODE = 'LS007';
        END IF;
      ELSIF NOT livestore.role_exists(with_role) THEN
        RAISE EXCEPTION 'There is no role % on this server.', with_role USING ERRCODE = 'LS007';
      ELSE
        INSERT INTO livestore.member AS m (space, role, rights) VALUES (in_space, with_role, new_rights)
        ON CONFLICT (space, role) DO UPDATE SET rights = excluded.rights WHERE m.rights <> excluded.rights;
      END IF;
    END $$;

    -- The mark of the line that a version belongs to.
    CREATE OR REPLACE FUNCTION livestore.mark_of(in_space bigint, of_version bigint) RETURNS bigint
    LANGUAGE sql STABLE
    RETURN (
      SELECT l.mark FROM livestore.line l WHERE l.space = in_space AND l.version <= of_version
      ORDER BY l.version DESC LIMIT 1
    );

    -- A machine enters a space: what it may do there, whether the version that it knows is still one of the
    -- space, and whether it is the machine that entered last under this number, or a copy of its file.
    -- continuity: 0 in step, 1 the server was restored, 2 deletions have been forgotten since.
    CREATE OR REPLACE FUNCTION livestore.enter(
      in_space bigint, as_replica bigint, machine_name text, with_token uuid, known_version bigint,
      known_mark bigint, OUT space_name text, OUT rights integer, OUT head bigint, OUT head_mark bigint,
      OUT continuity integer, OUT replica bigint, OUT token uuid
    ) LANGUAGE plpgsql SET search_path = pg_catalog, pg_temp AS $$
    #variable_conflict use_column
    DECLARE
      s livestore.space;
      m livestore.machine;
      number bigint;
    BEGIN
      SELECT x.* INTO s FROM livestore.space x WHERE x.space = in_space;
      enter.rights := (SELECT r.rights FROM livestore.own_right r WHERE r.space = in_space);
      IF enter.rights IS NULL OR s.space IS NULL THEN
        RAISE EXCEPTION 'There is no such space, or you are no member of it.' USING ERRCODE = 'LS001';
      END IF;
      space_name := s.name;
      head := s.version;
      head_mark := s.mark;
      continuity := CASE
        WHEN known_version = 0 THEN 0
        -- With the deletions the marks of the lines before them are forgotten.
        WHEN known_version < s.pruned AND livestore.mark_of(in_space, known_version) IS NULL THEN 2
        WHEN known_version > s.version OR livestore.mark_of(in_space, known_version) IS DISTINCT FROM known_mark
          THEN 1
        WHEN known_version < s.pruned THEN 2
        ELSE 0 END;
      enter.token := gen_random_uuid();
      IF as_replica IS NOT NULL THEN
        SELECT x.* INTO m FROM livestore.machine x WHERE x.space = in_space AND x.replica = as_replica;
        IF m.replica IS NOT NULL THEN
          IF m.role <> current_user::text
            OR (continuity <> 1 AND m.token IS DISTINCT FROM with_token AND m.offered IS DISTINCT FROM with_token)
          THEN
            -- Another machine has entered under this number since: one of the two is a copy.
            enter.token := NULL;
            RETURN;
          END IF;
          UPDATE livestore.machine x
          SET name = machine_name, seen = clock_timestamp(), version = known_version,
            token = CASE WHEN with_token IS NULL THEN enter.token ELSE with_token END, offered = enter.token
          WHERE x.space = in_space AND x.replica = as_replica;
          enter.replica := as_replica;
          RETURN;
        END IF;
      END IF;
      number := coalesce(as_replica, 0);
      WHILE number = 0 LOOP
        number := livestore.random_number() & 4294967295;
        IF EXISTS (SELECT FROM livestore.machine x WHERE x.space = in_space AND x.replica = number) THEN
          number := 0;
        END IF;
      END LOOP;
      INSERT INTO livestore.machine (space, replica, name, token, version)
      VALUES (in_space, number, machine_name, enter.token, known_version);
      enter.replica := number;
    END $$;
    """#
}
