-- The table has the name that the program uses for it. Nothing else changes.
ALTER TABLE "loose_bytes" RENAME TO "orphaned_blobs";--> statement-breakpoint
ALTER INDEX "loose_bytes_pkey" RENAME TO "orphaned_blobs_pkey";
