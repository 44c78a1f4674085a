-- The table has the name that the program uses for it. Nothing else changes. A restore by an earlier version, into an empty
-- database that was migrated before, leaves an empty table of the new name.
DROP TABLE IF EXISTS "orphaned_blobs";--> statement-breakpoint
ALTER TABLE "loose_bytes" RENAME TO "orphaned_blobs";--> statement-breakpoint
ALTER INDEX "loose_bytes_pkey" RENAME TO "orphaned_blobs_pkey";
