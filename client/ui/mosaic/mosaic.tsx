import styles from './mosaic.module.css';
import { mosaicTiles } from './mosaic-tiles.ts';

const width = 1120;
const height = 220;
const tiles = mosaicTiles(width, height, 11);

/** A mosaic that fades towards its middle and fills its positioned parent. Decoration. */
export function Mosaic({ className = '' }: { className?: string }) {
  return (
    <svg
      className={`${styles.mosaic} ${className}`}
      viewBox={`0 0 ${width} ${height}`}
      preserveAspectRatio="xMidYMid slice"
      fill="currentColor"
      aria-hidden="true"
    >
      {tiles.map(({ x, y, size, opacity }) => (
        <rect
          key={`${x} ${y}`}
          x={x + 1}
          y={y + 1}
          width={size - 2}
          height={size - 2}
          rx={size / 8}
          opacity={opacity}
        />
      ))}
    </svg>
  );
}

/** A small picture with a missing tile, for empty lists. Decoration. */
export function EmptyMosaic() {
  return (
    <svg width="132" height="88" viewBox="0 0 132 88" fill="none" aria-hidden="true">
      <g fill="var(--track)">
        <rect x="2" y="2" width="40" height="40" rx="6" />
        <rect x="46" y="2" width="40" height="40" rx="6" />
        <rect x="2" y="46" width="40" height="40" rx="6" />
        <rect x="90" y="2" width="18" height="18" rx="4" />
        <rect x="112" y="24" width="18" height="18" rx="4" />
        <rect x="90" y="46" width="40" height="40" rx="6" />
      </g>
      <rect
        x="46.9"
        y="46.9"
        width="38.2"
        height="38.2"
        rx="6"
        stroke="var(--line-strong)"
        strokeWidth="1.8"
        strokeDasharray="4 4"
      />
      <circle cx="121" cy="11" r="9" fill="var(--accent)" />
    </svg>
  );
}
