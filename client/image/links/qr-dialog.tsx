import { useRef } from 'react';
import { encode } from 'uqr';
import { qrPath } from '../../lib/qr-code.ts';
import { saveBytes } from '../../lib/save-bytes.ts';
import { links as texts } from '../../text/words.ts';
import { Button } from '../../ui/buttons/button.tsx';
import { Dialog } from '../../ui/dialogs/dialog.tsx';
import styles from './qr-dialog.module.css';

interface QrDialogProps {
  name: string;
  url: string;
  onClose: () => void;
}

/** Shows a link as a QR code, and saves it as an SVG file. */
export function QrDialog({ name, url, onClose }: QrDialogProps) {
  const drawing = useRef<SVGSVGElement>(null);
  // The standard asks for a margin of four modules.
  const { data, size } = encode(url, { ecc: 'M', border: 4 });
  const save = (): void => {
    if (!drawing.current) return;
    const text = new XMLSerializer().serializeToString(drawing.current);
    saveBytes(new Blob([text], { type: 'image/svg+xml' }), `${name}.svg`);
  };
  return (
    <Dialog title={texts.qr.title} onClose={onClose}>
      <svg
        ref={drawing}
        className={styles.code}
        viewBox={`0 0 ${size} ${size}`}
        role="img"
        aria-label={texts.qr.alt(url)}
      >
        <rect width={size} height={size} fill="#fff" />
        <path d={qrPath(data)} fill="#000" shapeRendering="crispEdges" />
      </svg>
      <p className={styles.url} dir="ltr">
        {url}
      </p>
      <div className={styles.buttons}>
        <Button variant="line" onClick={save}>
          {texts.qr.save}
        </Button>
        <Button variant="ghost" onClick={onClose}>
          {texts.close}
        </Button>
      </div>
    </Dialog>
  );
}
