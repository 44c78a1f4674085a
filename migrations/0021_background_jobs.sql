-- The queues of pg-boss. Their work is still due: background renditions by "images", the bytes of dead processes by "orphaned_blobs".
DROP SCHEMA IF EXISTS "gallery_jobs" CASCADE;--> statement-breakpoint
-- A restore by an earlier version, into an empty database that was migrated before, leaves these tables.
DROP TABLE IF EXISTS "leases", "rendition_attempts";--> statement-breakpoint
CREATE TABLE "leases" (
	"name" text PRIMARY KEY NOT NULL,
	"expires_at" timestamp (3) with time zone NOT NULL
);
--> statement-breakpoint
CREATE TABLE "rendition_attempts" (
	"content_id" uuid PRIMARY KEY NOT NULL,
	"tries" smallint NOT NULL,
	"leased_until" timestamp (3) with time zone,
	"next_at" timestamp (3) with time zone NOT NULL
);
