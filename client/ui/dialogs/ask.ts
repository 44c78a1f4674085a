import Swal from 'sweetalert2/dist/sweetalert2.esm.js';
import { allowInertMarkup } from '../../lib/trusted-types.ts';
import { buttonClass } from '../buttons/button.tsx';
import styles from './ask.module.css';
import type { Question } from './confirm.ts';

/** Shows the question (confirm.ts). The focus starts on cancel and returns afterwards. */
export async function ask({ title, text, confirm, cancel, image, target }: Question): Promise<boolean> {
  // The dialog was closed while this script was loading.
  if (target?.isConnected === false) return false;
  allowInertMarkup();
  let container: HTMLElement | null = null;
  // Back removes the dialog around the question. sweetalert2 can close only what is in the document, so it is put back first.
  const takeBack = (): void => {
    if (container?.isConnected === false) document.body.append(container);
    Swal.close();
  };
  window.addEventListener('popstate', takeBack);
  const answer = await Swal.fire({
    title,
    text,
    confirmButtonText: confirm,
    cancelButtonText: cancel,
    showCancelButton: true,
    focusCancel: true,
    reverseButtons: true,
    buttonsStyling: false,
    heightAuto: false,
    target: target ?? document.body,
    willOpen: () => {
      container = Swal.getContainer();
    },
    ...(image ? { imageUrl: image.url, imageAlt: image.alt } : {}),
    showClass: { backdrop: styles.appearing ?? '', popup: styles.rising ?? '' },
    hideClass: { backdrop: '', popup: '' },
    customClass: {
      container: styles.scrim ?? '',
      popup: styles.ask ?? '',
      image: styles.picture ?? '',
      title: styles.title ?? '',
      htmlContainer: styles.text ?? '',
      actions: styles.row ?? '',
      confirmButton: buttonClass({ variant: 'danger' }, styles.button),
      cancelButton: buttonClass({ variant: 'quiet' }, styles.button),
    },
  }).finally(() => window.removeEventListener('popstate', takeBack));
  return answer.isConfirmed;
}
