-- The runs of three letters of a name, each as a number that is the owner's own: a search reads no other account's matches,
-- and any three letters or signs of any script will do. Postgres' own functions alone, of the same values on every server.
CREATE OR REPLACE FUNCTION name_trigrams(owner uuid, name text) RETURNS bigint[]
LANGUAGE sql IMMUTABLE STRICT PARALLEL SAFE AS $$
	SELECT ARRAY(
		SELECT hashtextextended(substr(name, place, 3) COLLATE "C", uuid_hash_extended(owner, 0))
		FROM generate_series(1, char_length(name) - 2) AS place
	)
$$;
--> statement-breakpoint
CREATE INDEX "images_name_trigrams" ON "images" USING gin (name_trigrams("owner_id", "search_name")) WITH (gin_pending_list_limit=256);--> statement-breakpoint
-- The planner is told which way to go (server/images/search.ts): statistics of the runs would cost and say nothing.
ALTER INDEX "images_name_trigrams" ALTER COLUMN 1 SET STATISTICS 0;--> statement-breakpoint
DROP INDEX IF EXISTS "images_owner_search";--> statement-breakpoint
DROP INDEX IF EXISTS "images_search_name_trigram";
