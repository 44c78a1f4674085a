ALTER TABLE "images" ADD COLUMN "content_id" uuid;--> statement-breakpoint
ALTER TABLE "images" ADD COLUMN "thumbnail_avif_sha256" text;--> statement-breakpoint
ALTER TABLE "images" ADD COLUMN "screen_avif_sha256" text;--> statement-breakpoint
ALTER TABLE "images" ADD COLUMN "renditions_due" boolean DEFAULT true NOT NULL;--> statement-breakpoint
CREATE INDEX "images_owner_content" ON "images" USING btree ("owner_id","sha256");--> statement-breakpoint
CREATE INDEX "images_content" ON "images" USING btree ("content_id") WHERE "images"."content_id" is not null;--> statement-breakpoint
CREATE INDEX "images_renditions_due" ON "images" USING btree ("id") WHERE "images"."renditions_due";