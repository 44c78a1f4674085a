import type { Usage } from '../../server/contract.ts';

/** How close an account is to its limits. `parts`: the limits that are set. */
export interface Room {
  /** per cent of the nearest limit, whole, 0 to 100 */
  readonly percent: number;
  readonly full: boolean;
  readonly parts: readonly { readonly of: 'bytes' | 'images'; readonly used: number; readonly most: number }[];
}

/** @returns null without limits */
export function roomOf({ bytes, images, max_bytes, max_images }: Usage): Room | null {
  const limits = [
    { of: 'bytes' as const, used: bytes, most: max_bytes },
    { of: 'images' as const, used: images, most: max_images },
  ];
  const parts = limits.flatMap(({ most, ...rest }) => (most === null ? [] : [{ ...rest, most }]));
  if (parts.length === 0) return null;
  const nearest = Math.max(...parts.map(({ used, most }) => used / most));
  // Any usage shows at least 1 %, and only a full account shows 100 %.
  const percent = nearest >= 1 ? 100 : Math.min(99, Math.ceil(nearest * 100));
  return { percent, full: nearest >= 1, parts };
}
