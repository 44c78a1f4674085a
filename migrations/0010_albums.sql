CREATE TABLE "album_images" (
	"album_id" uuid NOT NULL,
	"image_id" uuid NOT NULL,
	"owner_id" uuid NOT NULL,
	"position" bigint NOT NULL,
	"is_cover" boolean DEFAULT false NOT NULL,
	CONSTRAINT "album_images_album_id_image_id_pk" PRIMARY KEY("album_id","image_id")
);
--> statement-breakpoint
CREATE TABLE "albums" (
	"id" uuid PRIMARY KEY NOT NULL,
	"owner_id" uuid NOT NULL,
	"name" text NOT NULL,
	"search_name" text NOT NULL,
	"position" bigint NOT NULL,
	"link_key" text,
	"created_at" timestamp (3) with time zone DEFAULT now() NOT NULL,
	CONSTRAINT "albums_link_key_unique" UNIQUE("link_key")
);
--> statement-breakpoint
ALTER TABLE "album_images" ADD CONSTRAINT "album_images_album_id_albums_id_fk" FOREIGN KEY ("album_id") REFERENCES "public"."albums"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "album_images" ADD CONSTRAINT "album_images_image_id_images_id_fk" FOREIGN KEY ("image_id") REFERENCES "public"."images"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "albums" ADD CONSTRAINT "albums_owner_id_users_id_fk" FOREIGN KEY ("owner_id") REFERENCES "public"."users"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
CREATE INDEX "album_images_position" ON "album_images" USING btree ("owner_id","album_id","position","image_id");--> statement-breakpoint
CREATE INDEX "album_images_image" ON "album_images" USING btree ("image_id");--> statement-breakpoint
CREATE UNIQUE INDEX "album_images_cover" ON "album_images" USING btree ("album_id") WHERE "album_images"."is_cover";--> statement-breakpoint
CREATE INDEX "albums_owner_position" ON "albums" USING btree ("owner_id","position","id");