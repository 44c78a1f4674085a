-- What a folded name is sorted by: its numbers have ten digits at least, so that 9 stands before 10; what follows a line
-- feed is no part of the name (server/images/search-name.ts). Cut, since a B-tree takes no long values. Each further digit
-- of the bound costs time.
CREATE OR REPLACE FUNCTION name_order(name text) RETURNS text
LANGUAGE sql IMMUTABLE STRICT PARALLEL SAFE AS $$
	SELECT left(regexp_replace(
		regexp_replace(left(split_part(name, E'\n', 1), 200), '([0-9]+)', '000000000\1', 'g'),
		'0+([0-9]{10,})', '\1', 'g'
	), 200)
$$;
--> statement-breakpoint
ALTER TABLE "images" ADD COLUMN "name_key" text COLLATE "C" GENERATED ALWAYS AS (name_order(search_name)) STORED NOT NULL;--> statement-breakpoint
CREATE INDEX "images_owner_name" ON "images" USING btree ("owner_id","name_key","id");--> statement-breakpoint
CREATE INDEX "images_owner_size" ON "images" USING btree ("owner_id","size","id");