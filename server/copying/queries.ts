import { sql } from 'drizzle-orm';
import { images } from '../../drizzle/schema.ts';
import type { Database } from '../database/connect.ts';

export async function bytesOfImages(db: Database): Promise<number> {
  const [row] = await db.select({ bytes: sql<string>`coalesce(sum(${images.size}), 0)` }).from(images);
  return Number(row?.bytes ?? 0);
}
