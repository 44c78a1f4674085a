ALTER TABLE "images" ADD COLUMN "sealed" boolean DEFAULT false NOT NULL;--> statement-breakpoint
ALTER TABLE "images" ADD COLUMN "renditions_sealed" boolean DEFAULT false NOT NULL;