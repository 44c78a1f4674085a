import { useSyncExternalStore } from 'react';
import { type Sentence, sentenceFor } from './announcements.ts';
import type { UploadEvent } from './upload-store.ts';
import { uploads } from './uploads.ts';

let said: Sentence & { readonly count: number } = { text: '', urgent: false, count: 0 };

/** Turns events into sentences. Simultaneous events share one. */
function subscribe(onChange: () => void): () => void {
  let moment: UploadEvent[] = [];
  // A sentence from an earlier visit of the page is over.
  said = { text: '', urgent: false, count: said.count };
  return uploads.onEvent((event) => {
    moment.push(event);
    if (moment.length > 1) return;
    queueMicrotask(() => {
      const sentence = sentenceFor(moment);
      moment = [];
      if (sentence === null) return;
      said = { ...sentence, count: said.count + 1 };
      onChange();
    });
  });
}

/** The live regions of the upload page. A sentence is a new element, so that it is announced again when it repeats. */
export function Announcer() {
  const { text, urgent, count } = useSyncExternalStore(subscribe, () => said);
  return (
    <>
      <p className="visually-hidden" role="status">
        {urgent ? null : <span key={count}>{text}</span>}
      </p>
      <p className="visually-hidden" role="alert">
        {urgent ? <span key={count}>{text}</span> : null}
      </p>
    </>
  );
}
