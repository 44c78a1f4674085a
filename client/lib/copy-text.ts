/** What was copied since the page was opened (session/copied-links.ts). */
export const copied: string[] = [];

/**
 * Copies text to the clipboard. Falls back to `execCommand`, because plain HTTP has no `navigator.clipboard`.
 * `host` receives a hidden field; inside an open modal dialog it must be in the dialog, or it cannot be selected.
 * Resolves to false if both ways fail.
 */
export async function copyText(text: string, host: HTMLElement): Promise<boolean> {
  const isCopied = (await copyByPermission(text)) || copyByCommand(text, host);
  if (isCopied) copied.push(text);
  return isCopied;
}

async function copyByPermission(text: string): Promise<boolean> {
  try {
    await navigator.clipboard.writeText(text);
    return true;
  } catch {
    // Over plain HTTP there is no clipboard. If a permission or a policy refused, the command may still be allowed.
    return false;
  }
}

function copyByCommand(text: string, host: HTMLElement): boolean {
  const focused = document.activeElement;
  const field = document.createElement('textarea');
  field.value = text;
  field.readOnly = true;
  field.setAttribute('aria-hidden', 'true');
  field.style.cssText = 'position:fixed;inset-block-start:0;inset-inline-start:0;opacity:0;pointer-events:none';
  host.append(field);
  field.select();
  try {
    return document.execCommand('copy');
  } catch {
    return false;
  } finally {
    field.remove();
    if (focused instanceof HTMLElement) focused.focus({ preventScroll: true });
  }
}
