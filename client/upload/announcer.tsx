import { useEffect, useState } from 'react';
import type { Sentence } from './announcements.ts';
import type { UploadEvent } from './upload-store.ts';
import { uploads } from './uploads.ts';

/** The live regions of the upload page. Simultaneous events share one sentence. */
export function Announcer() {
  const [said, setSaid] = useState<Sentence>({ text: '', urgent: false });
  useEffect(() => {
    let moment: UploadEvent[] = [];
    // Loaded early: no event happens before the user chooses files.
    const loading = import('./announcements.ts').catch(() => undefined);
    return uploads.onEvent((event) => {
      if (moment.length === 0) {
        queueMicrotask(() => {
          const events = moment;
          moment = [];
          void loading.then((speech) => {
            const sentence = speech?.sentenceFor(events) ?? null;
            if (sentence !== null) setSaid(sentence);
          });
        });
      }
      moment.push(event);
    });
  }, []);
  return (
    <>
      <p className="visually-hidden" role="status">
        {said.urgent ? '' : said.text}
      </p>
      <p className="visually-hidden" role="alert">
        {said.urgent ? said.text : ''}
      </p>
    </>
  );
}
