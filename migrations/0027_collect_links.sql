CREATE TABLE "collect_guests" (
	"id" uuid PRIMARY KEY NOT NULL,
	"link_id" uuid NOT NULL,
	"token_hash" text NOT NULL,
	"name" text,
	"password_version" integer NOT NULL,
	"expires_at" timestamp (3) with time zone NOT NULL,
	CONSTRAINT "collect_guests_token_hash_unique" UNIQUE("token_hash")
);
--> statement-breakpoint
CREATE TABLE "collect_links" (
	"id" uuid PRIMARY KEY NOT NULL,
	"owner_id" uuid NOT NULL,
	"key" text NOT NULL,
	"name" text NOT NULL,
	"album_id" uuid NOT NULL,
	"password_hash" text,
	"password_version" integer DEFAULT 0 NOT NULL,
	"open" boolean NOT NULL,
	"asks_name" boolean NOT NULL,
	"look_first" boolean NOT NULL,
	"max_files" integer NOT NULL,
	"max_bytes" bigint NOT NULL,
	"expires_at" timestamp (3) with time zone,
	"ended_at" timestamp (3) with time zone,
	"created_at" timestamp (3) with time zone DEFAULT now() NOT NULL,
	CONSTRAINT "collect_links_key_unique" UNIQUE("key")
);
--> statement-breakpoint
CREATE TABLE "collected_images" (
	"image_id" uuid PRIMARY KEY NOT NULL,
	"link_id" uuid NOT NULL,
	"guest_id" uuid NOT NULL,
	"owner_id" uuid NOT NULL,
	"filename" text NOT NULL,
	"size" bigint NOT NULL,
	"admitted" boolean NOT NULL
);
--> statement-breakpoint
ALTER TABLE "images" ADD COLUMN "waiting" boolean DEFAULT false NOT NULL;--> statement-breakpoint
ALTER TABLE "uploads" ADD COLUMN "guest_id" uuid;--> statement-breakpoint
ALTER TABLE "collect_guests" ADD CONSTRAINT "collect_guests_link_id_collect_links_id_fk" FOREIGN KEY ("link_id") REFERENCES "public"."collect_links"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "collect_links" ADD CONSTRAINT "collect_links_owner_id_users_id_fk" FOREIGN KEY ("owner_id") REFERENCES "public"."users"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "collect_links" ADD CONSTRAINT "collect_links_album_id_albums_id_fk" FOREIGN KEY ("album_id") REFERENCES "public"."albums"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "collected_images" ADD CONSTRAINT "collected_images_image_id_images_id_fk" FOREIGN KEY ("image_id") REFERENCES "public"."images"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "collected_images" ADD CONSTRAINT "collected_images_link_id_collect_links_id_fk" FOREIGN KEY ("link_id") REFERENCES "public"."collect_links"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "collected_images" ADD CONSTRAINT "collected_images_guest_id_collect_guests_id_fk" FOREIGN KEY ("guest_id") REFERENCES "public"."collect_guests"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
CREATE INDEX "collect_guests_link" ON "collect_guests" USING btree ("link_id");--> statement-breakpoint
CREATE INDEX "collect_guests_expires_at" ON "collect_guests" USING btree ("expires_at");--> statement-breakpoint
CREATE INDEX "collect_links_owner" ON "collect_links" USING btree ("owner_id","created_at","id");--> statement-breakpoint
CREATE INDEX "collect_links_album" ON "collect_links" USING btree ("album_id");--> statement-breakpoint
CREATE INDEX "collect_links_expires_at" ON "collect_links" USING btree ("expires_at") WHERE "collect_links"."expires_at" is not null;--> statement-breakpoint
CREATE INDEX "collect_links_ended_at" ON "collect_links" USING btree ("ended_at") WHERE "collect_links"."ended_at" is not null;--> statement-breakpoint
CREATE INDEX "collected_images_link" ON "collected_images" USING btree ("link_id");--> statement-breakpoint
CREATE INDEX "collected_images_guest" ON "collected_images" USING btree ("guest_id","image_id");--> statement-breakpoint
ALTER TABLE "images" ADD CONSTRAINT "images_waiting_hidden" CHECK (not "images"."waiting" or "images"."hidden_at" is not null) NOT VALID;