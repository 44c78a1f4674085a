import type { ComponentType, KeyboardEvent } from 'react';
import type { Image } from '../../../server/contract.ts';
import type { DownloadLook } from './download/download-link.tsx';

/** What the overlay offers to the owner of an image (owner-preview.tsx) or to a visitor of an album (client/public-album/). */
export interface PreviewParts {
  /** Saves the image's file. */
  readonly Download: ComponentType<{ image: Image; look: DownloadLook }>;
  /** More buttons for the bar. */
  readonly Actions?: ComponentType;
  /** Whether the links of the images work for nobody else. */
  readonly hasPrivateLinks?: true;
  /** Follows the facts in the panel. */
  readonly Details: ComponentType<{ image: Image }>;
  /** Whether a key press must do nothing. */
  readonly ignoresKey: (event: KeyboardEvent) => boolean;
}
