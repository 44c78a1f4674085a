CREATE TABLE "api_tokens" (
	"id" uuid PRIMARY KEY NOT NULL,
	"owner_id" uuid NOT NULL,
	"name" text NOT NULL,
	"secret_hash" text NOT NULL,
	"start" text NOT NULL,
	"scopes" text[] NOT NULL,
	"album_id" uuid,
	"images_expire_in" text,
	"created_at" timestamp (3) with time zone DEFAULT now() NOT NULL,
	"expires_at" timestamp (3) with time zone,
	"used_at" timestamp (3) with time zone,
	"used_by" text,
	CONSTRAINT "api_tokens_secret_hash_unique" UNIQUE("secret_hash")
);
--> statement-breakpoint
ALTER TABLE "uploads" ADD COLUMN "token_id" uuid;--> statement-breakpoint
ALTER TABLE "uploads" ADD COLUMN "album_id" uuid;--> statement-breakpoint
ALTER TABLE "api_tokens" ADD CONSTRAINT "api_tokens_owner_id_users_id_fk" FOREIGN KEY ("owner_id") REFERENCES "public"."users"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "api_tokens" ADD CONSTRAINT "api_tokens_album_id_albums_id_fk" FOREIGN KEY ("album_id") REFERENCES "public"."albums"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
CREATE INDEX "api_tokens_owner" ON "api_tokens" USING btree ("owner_id");--> statement-breakpoint
CREATE INDEX "api_tokens_album" ON "api_tokens" USING btree ("album_id") WHERE "api_tokens"."album_id" is not null;--> statement-breakpoint
CREATE INDEX "api_tokens_expires_at" ON "api_tokens" USING btree ("expires_at") WHERE "api_tokens"."expires_at" is not null;