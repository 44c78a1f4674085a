-- Servers keep what links answer in memory: whoever changes or deletes images, by whatever program, tells them.
CREATE OR REPLACE FUNCTION "tell_changed_links"() RETURNS trigger LANGUAGE plpgsql AS $$
DECLARE
  "keys" text;
BEGIN
  IF TG_OP = 'TRUNCATE' THEN
    "keys" := '*';
  ELSIF (SELECT count(*) FROM (SELECT 1 FROM "before" LIMIT 101) AS "some") > 100 THEN
    "keys" := '*';
  ELSE
    SELECT string_agg("link_key", ' ') INTO "keys" FROM "before";
  END IF;
  IF "keys" IS NOT NULL THEN
    PERFORM pg_notify('gallery_links', "keys");
  END IF;
  RETURN NULL;
END
$$;--> statement-breakpoint
CREATE TRIGGER "images_deleted_links" AFTER DELETE ON "images" REFERENCING OLD TABLE AS "before"
FOR EACH STATEMENT EXECUTE FUNCTION "tell_changed_links"();--> statement-breakpoint
CREATE TRIGGER "images_updated_links" AFTER UPDATE ON "images" REFERENCING OLD TABLE AS "before"
FOR EACH STATEMENT EXECUTE FUNCTION "tell_changed_links"();--> statement-breakpoint
CREATE TRIGGER "images_truncated_links" AFTER TRUNCATE ON "images"
FOR EACH STATEMENT EXECUTE FUNCTION "tell_changed_links"();
