import t from 'tap';
import { qrPath } from './qr-code.ts';

t.test('the path of a QR code covers each run of dark modules once', async (t) => {
  t.equal(
    qrPath([
      [true, true, false, true],
      [false, false, false, false],
      [false, true, true, true],
    ]),
    'M0 0h2v1h-2zM3 0h1v1h-1zM1 2h3v1h-3z',
  );
});
