import type { KeyboardEvent } from 'react';
import type { Image } from '../../../server/contract.ts';
import type { Component } from '../../lib/component.ts';
import type { DownloadLook } from './download/download-link.tsx';

/** What the overlay offers to the owner of an image (owner-preview.tsx) or to a visitor of an album (client/public-album/). */
export interface PreviewParts {
  /** Saves the image's file. */
  readonly Download: Component<{ image: Image; look: DownloadLook }>;
  /** More buttons for the bar. */
  readonly Actions?: Component;
  /** Whether the links of the images work for nobody else. */
  readonly hasPrivateLinks?: true;
  /** Follows the facts in the panel. */
  readonly Details: Component<{ image: Image }>;
  /** Whether a key press must do nothing. */
  readonly ignoresKey: (event: KeyboardEvent) => boolean;
}
