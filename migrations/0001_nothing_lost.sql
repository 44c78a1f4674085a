CREATE TABLE "installation" (
	"id" uuid PRIMARY KEY NOT NULL,
	"created_at" timestamp (3) with time zone DEFAULT now() NOT NULL
);
--> statement-breakpoint
CREATE TABLE "loose_bytes" (
	"image_id" uuid PRIMARY KEY NOT NULL,
	"extension" text NOT NULL,
	"process" bigint NOT NULL,
	"created_at" timestamp (3) with time zone DEFAULT now() NOT NULL
);
--> statement-breakpoint
ALTER TABLE "images" ADD COLUMN "thumbnail_sha256" text;--> statement-breakpoint
ALTER TABLE "images" ADD COLUMN "screen_sha256" text;--> statement-breakpoint
ALTER TABLE "images" ADD COLUMN "traces" text;--> statement-breakpoint
ALTER TABLE "images" ADD COLUMN "redaction" jsonb;--> statement-breakpoint
ALTER TABLE "users" ADD COLUMN "disabled_at" timestamp (3) with time zone;--> statement-breakpoint
ALTER TABLE "users" ADD COLUMN "image_count" integer DEFAULT 0 NOT NULL;--> statement-breakpoint
ALTER TABLE "users" ADD COLUMN "image_bytes" bigint DEFAULT 0 NOT NULL;--> statement-breakpoint
UPDATE "users" SET "image_count" = "held"."count", "image_bytes" = "held"."bytes"
FROM (SELECT "owner_id", count(*) AS "count", sum("size") AS "bytes" FROM "images" GROUP BY "owner_id") AS "held"
WHERE "users"."id" = "held"."owner_id";
