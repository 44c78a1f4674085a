-- Orders by name are those of languages. Where Postgres was built without ICU, they are by code point, as before.
DO $$
DECLARE
	wanted record;
BEGIN
	FOR wanted IN SELECT * FROM (VALUES ('names', 'und-u-kn-true'), ('names_ar', 'ar-u-kn-true')) AS each (name, locale) LOOP
		BEGIN
			EXECUTE format('CREATE COLLATION IF NOT EXISTS %I (provider = icu, locale = %L)', wanted.name, wanted.locale);
		EXCEPTION WHEN feature_not_supported OR invalid_parameter_value OR undefined_object THEN
			EXECUTE format('CREATE COLLATION IF NOT EXISTS %I FROM "C"', wanted.name);
		END;
	END LOOP;
END
$$;
--> statement-breakpoint
DROP INDEX IF EXISTS "images_owner_name";--> statement-breakpoint
DROP INDEX IF EXISTS "images_owner_name_ar";--> statement-breakpoint
-- What foldText (server/lib/fold.ts) does, to a text that foldCase has folded. Postgres' own functions alone.
CREATE OR REPLACE FUNCTION fold_text(folded text) RETURNS text
LANGUAGE sql IMMUTABLE STRICT PARALLEL SAFE AS $$
	SELECT CASE WHEN folded ~ '^[ -~\n]*$' THEN folded ELSE normalize(
		replace(replace(replace(
			translate(
				regexp_replace(
					translate(
						lower(normalize(translate(folded, E'\u00B4\u1FBD\u1FBF\u1FFD\u1FFE\u2033\u2036', E'\'\'\'\'\'""'), NFKC) COLLATE "C"),
						E'ΑΒΓΔΕΖΗΘΙΚΛΜΝΞΟΠΡΣΤΥΦΧΨΩϴςΎΫϜ\u0345ÆƎȢƐĦı', 'αβγδεζηθικλμνξοπρστυφχψωθσύϋϝιæǝȣɛħi'
					),
					E'[\u00AD\u034F\u061C\u0640\u115F\u1160\u17B4\u17B5\u180B-\u180F\u200B-\u200F\u202A-\u202E\u2060-\u206F\u3164\uFE00-\uFE0F\uFEFF\uFFA0\uFFF0-\uFFF8\U0001BCA0-\U0001BCA3\U0001D173-\U0001D17A\U000E0000-\U000E0FFF]',
					'', 'g'
				),
				E'\u1680\u2028\u2029'
					|| E'\u058A\u05BE\u1806\u2010\u2011\u2012\u2013\u2014\u2015\u2043\u2212\u2E17\u2E1A\u2E3A\u2E3B'
					|| E'\u301C'
					|| E'\u02B9\u02BA\u02BB\u02BC\u02BD\u02BE\u02BF\u02C8\u02CA\u02CB\u055A\u05F3\u2018\u2019\u201A\u201B\u2032\u2035\uA78B\uA78C'
					|| E'\u00AB\u00BB\u02EE\u05F4\u201C\u201D\u201E\u201F',
				repeat(' ', 3) || repeat('-', 15) || '~' || repeat(E'\'', 20) || repeat('"', 8)
			),
		'æ', 'ae'), 'œ', 'oe'), E'i\u0307', 'i'), NFC) END
$$;
--> statement-breakpoint
UPDATE "images" SET "search_name" = fold_text("search_name") WHERE "search_name" <> fold_text("search_name");--> statement-breakpoint
UPDATE "albums" SET "search_name" = fold_text("search_name") WHERE "search_name" <> fold_text("search_name");--> statement-breakpoint
CREATE INDEX "images_owner_name" ON "images" USING btree ("owner_id","name_key" COLLATE "names","id");--> statement-breakpoint
CREATE INDEX "images_owner_name_ar" ON "images" USING btree ("owner_id","name_key" COLLATE "names_ar","id");
