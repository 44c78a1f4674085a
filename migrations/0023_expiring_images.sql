CREATE TABLE "ended_links" (
	"link_key" text PRIMARY KEY NOT NULL,
	"owner_id" uuid NOT NULL,
	"ended_at" timestamp (3) with time zone DEFAULT now() NOT NULL
);
--> statement-breakpoint
ALTER TABLE "images" ADD COLUMN "expires_at" timestamp (3) with time zone;--> statement-breakpoint
ALTER TABLE "images" ADD COLUMN "delete_hash" text;--> statement-breakpoint
ALTER TABLE "uploads" ADD COLUMN "expires_in" text;--> statement-breakpoint
ALTER TABLE "uploads" ADD COLUMN "delete_link" boolean DEFAULT false NOT NULL;--> statement-breakpoint
ALTER TABLE "ended_links" ADD CONSTRAINT "ended_links_owner_id_users_id_fk" FOREIGN KEY ("owner_id") REFERENCES "public"."users"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
CREATE INDEX "ended_links_owner" ON "ended_links" USING btree ("owner_id");--> statement-breakpoint
CREATE INDEX "ended_links_ended_at" ON "ended_links" USING btree ("ended_at");--> statement-breakpoint
CREATE INDEX "images_expires_at" ON "images" USING btree ("expires_at","id") WHERE "images"."expires_at" is not null;--> statement-breakpoint
CREATE UNIQUE INDEX "images_delete_hash" ON "images" USING btree ("delete_hash") WHERE "images"."delete_hash" is not null;