extension ServerSchema {
  /// The rows that a role may read and write, whatever client it uses.
  static let policies = #"""
    ALTER TABLE livestore.space ENABLE ROW LEVEL SECURITY;
    ALTER TABLE livestore.line ENABLE ROW LEVEL SECURITY;
    ALTER TABLE livestore.member ENABLE ROW LEVEL SECURITY;
    ALTER TABLE livestore.machine ENABLE ROW LEVEL SECURITY;
    ALTER TABLE livestore.object ENABLE ROW LEVEL SECURITY;

    DO $$
    DECLARE
      p record;
    BEGIN
      FOR p IN SELECT tablename, policyname FROM pg_catalog.pg_policies WHERE schemaname = 'livestore' LOOP
        EXECUTE pg_catalog.format('DROP POLICY %I ON livestore.%I', p.policyname, p.tablename);
      END LOOP;
    END $$;

    -- The spaces of a role as an array, which a pull of a few objects takes less work for than for IN.
    CREATE POLICY members_read ON livestore.space FOR SELECT
      USING (space = ANY (ARRAY(SELECT r.space FROM livestore.own_right r)));
    CREATE POLICY all_create ON livestore.space FOR INSERT WITH CHECK (creator = current_user::text);
    CREATE POLICY managers_rename ON livestore.space FOR UPDATE
      USING (space IN (SELECT r.space FROM livestore.own_right r WHERE r.rights = 3));
    CREATE POLICY managers_delete ON livestore.space FOR DELETE
      USING (space IN (SELECT r.space FROM livestore.own_right r WHERE r.rights = 3));

    CREATE POLICY members_read ON livestore.line FOR SELECT
      USING (space = ANY (ARRAY(SELECT r.space FROM livestore.own_right r)));

    CREATE POLICY members_read ON livestore.member FOR SELECT
      USING (space = ANY (ARRAY(SELECT r.space FROM livestore.own_right r)));
    CREATE POLICY managers_add ON livestore.member FOR INSERT
      WITH CHECK (space IN (SELECT r.space FROM livestore.own_right r WHERE r.rights = 3));
    CREATE POLICY managers_change ON livestore.member FOR UPDATE
      USING (space IN (SELECT r.space FROM livestore.own_right r WHERE r.rights = 3));
    CREATE POLICY managers_remove ON livestore.member FOR DELETE
      USING (role = current_user::text
        OR space IN (SELECT r.space FROM livestore.own_right r WHERE r.rights = 3));

    CREATE POLICY members_read ON livestore.machine FOR SELECT
      USING (space = ANY (ARRAY(SELECT r.space FROM livestore.own_right r)));
    CREATE POLICY members_enter ON livestore.machine FOR INSERT
      WITH CHECK (role = current_user::text AND space IN (SELECT r.space FROM livestore.own_right r));
    CREATE POLICY own_change ON livestore.machine FOR UPDATE
      USING (role = current_user::text AND space IN (SELECT r.space FROM livestore.own_right r));
    CREATE POLICY own_leave ON livestore.machine FOR DELETE
      USING (space IN (SELECT r.space FROM livestore.own_right r
        WHERE r.rights = 3 OR role = current_user::text));

    CREATE POLICY members_read ON livestore.object FOR SELECT
      USING (space = ANY (ARRAY(SELECT r.space FROM livestore.own_right r)));
    """#

  /// The tables and columns that every role may read and write, within the policies, and what it may call.
  ///
  /// Granted when the schema is installed and never again, so that an owner can take them back. Columns that
  /// are missing here, such as the number and the creator of a space and the role of a machine, get their
  /// defaults.
  static let privileges = """
    DO $$
    BEGIN
      IF EXISTS (SELECT FROM livestore.installation) THEN
        UPDATE livestore.installation SET version = \(version);
        RETURN;
      END IF;
      GRANT USAGE ON SCHEMA livestore TO PUBLIC;
      GRANT SELECT ON livestore.installation, livestore.own_right, livestore.space, livestore.line,
        livestore.member, livestore.machine, livestore.object TO PUBLIC;
      GRANT INSERT (name), UPDATE (name), DELETE ON livestore.space TO PUBLIC;
      GRANT INSERT (space, role, rights), UPDATE (rights), DELETE ON livestore.member TO PUBLIC;
      GRANT INSERT (space, replica, name, token, version), UPDATE (name, token, offered, seen, version), DELETE
        ON livestore.machine TO PUBLIC;
      REVOKE ALL ON ALL FUNCTIONS IN SCHEMA livestore FROM PUBLIC;
      GRANT EXECUTE ON FUNCTION livestore.random_number, livestore.role_exists, livestore.create_space,
        livestore.share, livestore.mark_of, livestore.enter, livestore.listen, livestore.push,
        livestore.announce, livestore.announce_gathered, livestore.prune TO PUBLIC;
      INSERT INTO livestore.installation (version) VALUES (\(version));
    END $$;
    """
}
