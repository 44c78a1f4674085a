/**
 * Puts text on the clipboard. Plain http has no `navigator.clipboard` (it wants a secure context), so the old command stands in.
 * `host` takes the hidden field: it must lie inside an open modal dialog, since everything outside one cannot be selected.
 * Resolves false where neither way works.
 */
export async function copyText(text: string, host: HTMLElement): Promise<boolean> {
  try {
    if (navigator.clipboard !== undefined) {
      await navigator.clipboard.writeText(text);
      return true;
    }
  } catch {
    // Refused by a permission or a policy: the old command may still be allowed.
  }
  return copyByCommand(text, host);
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
