ALTER TABLE "images" ADD COLUMN "hidden_at" timestamp (3) with time zone;--> statement-breakpoint
ALTER TABLE "images" ADD COLUMN "hidden_reason" text;--> statement-breakpoint
ALTER TABLE "images" ADD COLUMN "hidden_legal" boolean DEFAULT false NOT NULL;--> statement-breakpoint
ALTER TABLE "users" ADD COLUMN "links_silenced_at" timestamp (3) with time zone;--> statement-breakpoint
CREATE INDEX "images_hidden" ON "images" USING btree ("owner_id","id") WHERE "images"."hidden_at" is not null;--> statement-breakpoint
-- Silenced links are dead on every server at once, whatever program silences them.
CREATE OR REPLACE FUNCTION "tell_silenced_links"() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  PERFORM pg_notify('gallery_links', '*');
  RETURN NULL;
END
$$;--> statement-breakpoint
CREATE TRIGGER "users_silenced_links" AFTER UPDATE OF "links_silenced_at" ON "users"
FOR EACH ROW WHEN (OLD."links_silenced_at" IS DISTINCT FROM NEW."links_silenced_at") EXECUTE FUNCTION "tell_silenced_links"();
