CREATE TABLE "share_images" (
	"share_id" uuid NOT NULL,
	"image_id" uuid NOT NULL,
	"owner_id" uuid NOT NULL,
	"position" integer NOT NULL,
	CONSTRAINT "share_images_share_id_image_id_pk" PRIMARY KEY("share_id","image_id")
);
--> statement-breakpoint
CREATE TABLE "shares" (
	"id" uuid PRIMARY KEY NOT NULL,
	"owner_id" uuid NOT NULL,
	"key" text NOT NULL,
	"short_name" text,
	"guessable" boolean DEFAULT false NOT NULL,
	"name" text NOT NULL,
	"album_id" uuid,
	"password_hash" text,
	"originals" boolean DEFAULT true NOT NULL,
	"details" boolean DEFAULT true NOT NULL,
	"download" boolean DEFAULT true NOT NULL,
	"expires_at" timestamp (3) with time zone,
	"ended_at" timestamp (3) with time zone,
	"views" bigint DEFAULT 0 NOT NULL,
	"created_at" timestamp (3) with time zone DEFAULT now() NOT NULL,
	CONSTRAINT "shares_key_unique" UNIQUE("key"),
	CONSTRAINT "shares_short_name_unique" UNIQUE("short_name")
);
--> statement-breakpoint
ALTER TABLE "share_images" ADD CONSTRAINT "share_images_share_id_shares_id_fk" FOREIGN KEY ("share_id") REFERENCES "public"."shares"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "share_images" ADD CONSTRAINT "share_images_image_id_images_id_fk" FOREIGN KEY ("image_id") REFERENCES "public"."images"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "shares" ADD CONSTRAINT "shares_owner_id_users_id_fk" FOREIGN KEY ("owner_id") REFERENCES "public"."users"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "shares" ADD CONSTRAINT "shares_album_id_albums_id_fk" FOREIGN KEY ("album_id") REFERENCES "public"."albums"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
CREATE INDEX "share_images_position" ON "share_images" USING btree ("share_id","position","image_id");--> statement-breakpoint
CREATE INDEX "share_images_image" ON "share_images" USING btree ("image_id");--> statement-breakpoint
CREATE INDEX "share_images_owner" ON "share_images" USING btree ("owner_id");--> statement-breakpoint
CREATE INDEX "shares_owner" ON "shares" USING btree ("owner_id","created_at","id");--> statement-breakpoint
CREATE INDEX "shares_album" ON "shares" USING btree ("album_id") WHERE "shares"."album_id" is not null;--> statement-breakpoint
CREATE INDEX "shares_expires_at" ON "shares" USING btree ("expires_at") WHERE "shares"."expires_at" is not null;--> statement-breakpoint
CREATE INDEX "shares_ended_at" ON "shares" USING btree ("ended_at") WHERE "shares"."ended_at" is not null;