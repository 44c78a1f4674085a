DO $$
BEGIN
	CREATE EXTENSION IF NOT EXISTS btree_gin;
	CREATE INDEX "images_owner_search" ON "images" USING gin ("owner_id","search_name" gin_trgm_ops);
	DROP INDEX "images_search_name_trigram";
EXCEPTION
	-- Where the user may not install it, or the server has not got it, the old index serves on: as right, less fast.
	WHEN insufficient_privilege OR undefined_file OR feature_not_supported OR undefined_object THEN NULL;
END
$$;
