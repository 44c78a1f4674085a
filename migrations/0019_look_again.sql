-- Earlier versions left digests of the hidden bytes in the metadata. The link, or "renditions rebuild", looks at these images again.
UPDATE "images" SET "traces" = NULL, "redaction" = NULL WHERE "traces" = 'removable';
