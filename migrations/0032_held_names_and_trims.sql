CREATE TABLE "held_names" (
	"id" uuid PRIMARY KEY NOT NULL,
	"kind" text NOT NULL,
	"name" text NOT NULL,
	"owner_id" uuid NOT NULL,
	"freed_at" timestamp (3) with time zone NOT NULL
);
--> statement-breakpoint
CREATE UNIQUE INDEX "held_names_name" ON "held_names" USING btree ("kind","name");--> statement-breakpoint
CREATE INDEX "held_names_owner" ON "held_names" USING btree ("owner_id","freed_at");--> statement-breakpoint
CREATE INDEX "held_names_freed_at" ON "held_names" USING btree ("freed_at");--> statement-breakpoint
CREATE INDEX "audit_log_email" ON "audit_log" USING btree (coalesce("details" ->> 'email_key', lower("details" ->> 'email')),"id");--> statement-breakpoint
CREATE OR REPLACE FUNCTION hold_name(held_kind text, held_name text, held_owner uuid, freed timestamptz) RETURNS void LANGUAGE plpgsql AS $$
BEGIN
  INSERT INTO held_names (id, kind, name, owner_id, freed_at) VALUES (gen_random_uuid(), held_kind, held_name, held_owner, freed)
    ON CONFLICT (kind, name) DO UPDATE SET owner_id = excluded.owner_id, freed_at = excluded.freed_at;
  -- An account holds at most a thousand names, the newest.
  DELETE FROM held_names WHERE id IN (
    SELECT id FROM held_names WHERE owner_id = held_owner ORDER BY freed_at DESC, id OFFSET 1000);
END $$;--> statement-breakpoint
CREATE OR REPLACE FUNCTION hold_short_name() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  PERFORM hold_name('share', OLD.short_name, OLD.owner_id, least(now(), OLD.ended_at, OLD.expires_at));
  RETURN NULL;
END $$;--> statement-breakpoint
CREATE TRIGGER shares_hold_name_deleted AFTER DELETE ON "shares" FOR EACH ROW
  WHEN (OLD.short_name IS NOT NULL) EXECUTE FUNCTION hold_short_name();--> statement-breakpoint
CREATE TRIGGER shares_hold_name_changed AFTER UPDATE OF "short_name" ON "shares" FOR EACH ROW
  WHEN (OLD.short_name IS NOT NULL AND OLD.short_name IS DISTINCT FROM NEW.short_name) EXECUTE FUNCTION hold_short_name();--> statement-breakpoint
CREATE OR REPLACE FUNCTION hold_stable_name() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  -- An owner who deletes a stable link frees its name.
  IF NOT EXISTS (SELECT 1 FROM users WHERE id = OLD.owner_id) THEN
    PERFORM hold_name('stable-link', OLD.name, OLD.owner_id, now());
  END IF;
  RETURN NULL;
END $$;--> statement-breakpoint
CREATE TRIGGER stable_links_hold_name AFTER DELETE ON "stable_links" FOR EACH ROW
  EXECUTE FUNCTION hold_stable_name();--> statement-breakpoint
CREATE OR REPLACE FUNCTION audit_log_is_append_only() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  -- Only the address may go, and only after 30 days.
  IF TG_OP = 'UPDATE' THEN
    IF OLD.at < now() - interval '30 days' AND NEW.address IS NULL
      AND to_jsonb(NEW) - 'address' = to_jsonb(OLD) - 'address' THEN RETURN NEW; END IF;
  END IF;
  -- An entry may go if this transaction has noted that it trims the log up to a later moment. Such notes stay.
  IF TG_OP = 'DELETE' THEN
    IF OLD.action <> 'audit.trimmed' AND EXISTS (
      SELECT 1 FROM audit_log trim WHERE trim.action = 'audit.trimmed' AND trim.xmin = pg_current_xact_id()::xid
        AND OLD.at < (trim.details ->> 'before')::timestamptz) THEN RETURN OLD; END IF;
  END IF;
  RAISE EXCEPTION 'the audit log only grows' USING ERRCODE = 'GA002';
END $$;
