CREATE TABLE "image_counts" (
	"owner_id" uuid NOT NULL,
	"span" smallint NOT NULL,
	"place" bigint NOT NULL,
	"count" integer NOT NULL,
	CONSTRAINT "image_counts_owner_id_span_place_pk" PRIMARY KEY("owner_id","span","place")
) WITH (fillfactor = 50);
--> statement-breakpoint
CREATE OR REPLACE FUNCTION count_images() RETURNS trigger LANGUAGE plpgsql SET search_path FROM CURRENT AS $$
BEGIN
	-- In one order, so that statements that run side by side wait for one another and never deadlock.
	IF TG_OP = 'INSERT' THEN
		INSERT INTO image_counts AS held (owner_id, span, place, count)
		SELECT owner_id, span, ms >> span, count(*)
		FROM (SELECT owner_id, (extract(epoch FROM uploaded_at) * 1000)::bigint AS ms FROM arrived) AS changed
		CROSS JOIN (VALUES (20), (30), (63)) AS spans (span)
		GROUP BY 1, 2, 3 ORDER BY 1, 2, 3
		ON CONFLICT (owner_id, span, place) DO UPDATE SET count = held.count + excluded.count;
	ELSIF TG_OP = 'DELETE' THEN
		INSERT INTO image_counts AS held (owner_id, span, place, count)
		SELECT owner_id, span, ms >> span, -count(*)
		FROM (SELECT owner_id, (extract(epoch FROM uploaded_at) * 1000)::bigint AS ms FROM departed) AS changed
		CROSS JOIN (VALUES (20), (30), (63)) AS spans (span)
		GROUP BY 1, 2, 3 ORDER BY 1, 2, 3
		ON CONFLICT (owner_id, span, place) DO UPDATE SET count = held.count + excluded.count;
		DELETE FROM image_counts AS held USING (
			SELECT DISTINCT owner_id, span, ms >> span AS place
			FROM (SELECT owner_id, (extract(epoch FROM uploaded_at) * 1000)::bigint AS ms FROM departed) AS changed
			CROSS JOIN (VALUES (20), (30), (63)) AS spans (span)
		) AS touched
		WHERE held.owner_id = touched.owner_id AND held.span = touched.span AND held.place = touched.place
			AND held.count <= 0;
	ELSIF TG_OP = 'UPDATE' THEN
		INSERT INTO image_counts AS held (owner_id, span, place, count)
		SELECT owner_id, span, ms >> span, sum(change)
		FROM (
			SELECT owner_id, (extract(epoch FROM uploaded_at) * 1000)::bigint AS ms, 1 AS change FROM arrived
			UNION ALL
			SELECT owner_id, (extract(epoch FROM uploaded_at) * 1000)::bigint, -1 FROM departed
		) AS changed
		CROSS JOIN (VALUES (20), (30), (63)) AS spans (span)
		GROUP BY 1, 2, 3 HAVING sum(change) <> 0 ORDER BY 1, 2, 3
		ON CONFLICT (owner_id, span, place) DO UPDATE SET count = held.count + excluded.count;
		-- Most updates change neither.
		IF FOUND THEN
			DELETE FROM image_counts AS held USING (
				SELECT DISTINCT owner_id, span, ms >> span AS place
				FROM (SELECT owner_id, (extract(epoch FROM uploaded_at) * 1000)::bigint AS ms FROM departed) AS changed
				CROSS JOIN (VALUES (20), (30), (63)) AS spans (span)
			) AS touched
			WHERE held.owner_id = touched.owner_id AND held.span = touched.span AND held.place = touched.place
				AND held.count <= 0;
		END IF;
	ELSE
		DELETE FROM image_counts;
	END IF;
	RETURN NULL;
END
$$;
--> statement-breakpoint
CREATE TRIGGER images_count_arrived AFTER INSERT ON "images"
	REFERENCING NEW TABLE AS arrived FOR EACH STATEMENT EXECUTE FUNCTION count_images();
--> statement-breakpoint
CREATE TRIGGER images_count_departed AFTER DELETE ON "images"
	REFERENCING OLD TABLE AS departed FOR EACH STATEMENT EXECUTE FUNCTION count_images();
--> statement-breakpoint
CREATE TRIGGER images_count_moved AFTER UPDATE ON "images"
	REFERENCING OLD TABLE AS departed NEW TABLE AS arrived FOR EACH STATEMENT EXECUTE FUNCTION count_images();
--> statement-breakpoint
CREATE TRIGGER images_count_none AFTER TRUNCATE ON "images" FOR EACH STATEMENT EXECUTE FUNCTION count_images();
--> statement-breakpoint
-- The triggers' locks keep writers out until the commit.
INSERT INTO "image_counts" ("owner_id", "span", "place", "count")
SELECT "owner_id", "span", "ms" >> "span", count(*)
FROM (SELECT "owner_id", (extract(epoch FROM "uploaded_at") * 1000)::bigint AS "ms" FROM "images") AS "every"
CROSS JOIN (VALUES (20), (30), (63)) AS "spans" ("span")
GROUP BY 1, 2, 3 ORDER BY 1, 2, 3;
