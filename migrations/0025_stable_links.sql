CREATE TABLE "stable_links" (
	"id" uuid PRIMARY KEY NOT NULL,
	"owner_id" uuid NOT NULL,
	"name" text NOT NULL,
	"image_id" uuid,
	"ended_at" timestamp (3) with time zone,
	"created_at" timestamp (3) with time zone DEFAULT now() NOT NULL,
	"changed_at" timestamp (3) with time zone DEFAULT now() NOT NULL,
	CONSTRAINT "stable_links_name_unique" UNIQUE("name")
);
--> statement-breakpoint
ALTER TABLE "stable_links" ADD CONSTRAINT "stable_links_owner_id_users_id_fk" FOREIGN KEY ("owner_id") REFERENCES "public"."users"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "stable_links" ADD CONSTRAINT "stable_links_image_id_images_id_fk" FOREIGN KEY ("image_id") REFERENCES "public"."images"("id") ON DELETE set null ON UPDATE no action;--> statement-breakpoint
CREATE INDEX "stable_links_owner" ON "stable_links" USING btree ("owner_id");--> statement-breakpoint
CREATE INDEX "stable_links_image" ON "stable_links" USING btree ("image_id") WHERE "stable_links"."image_id" is not null;--> statement-breakpoint
CREATE INDEX "images_owner_expires_at" ON "images" USING btree ("owner_id","expires_at","id") WHERE "images"."expires_at" is not null;