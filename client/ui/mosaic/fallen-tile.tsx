import type { CSSProperties } from 'react';
import art from '../../assets/canyon.avif';
import styles from './fallen-tile.module.css';

const columns = 8;
const rows = 5;
const gone = { x: 6, y: 2 };

interface TileProps {
  x: number;
  y: number;
  className?: string;
}

function Tile({ x, y, className }: TileProps) {
  const place = {
    backgroundImage: `url(${art})`,
    backgroundPosition: `${(x / (columns - 1)) * 100}% ${(y / (rows - 1)) * 100}%`,
    backgroundSize: `${columns * 100}% ${rows * 100}%`,
  } satisfies CSSProperties;
  return <i className={className} style={place} />;
}

/** A tiled picture with one tile fallen out. Decoration, not mirrored in any language. */
export function FallenTile() {
  const places = Array.from({ length: columns * rows }, (_, i) => ({ x: i % columns, y: Math.floor(i / columns) }));
  return (
    <div className={styles.art} dir="ltr" aria-hidden="true">
      {places.map(({ x, y }) =>
        x === gone.x && y === gone.y ? (
          <i key="gone" className={styles.gone} />
        ) : (
          <Tile key={`${x} ${y}`} x={x} y={y} />
        ),
      )}
      <Tile {...gone} className={styles.fallen} />
    </div>
  );
}
