/** Safari has URL.canParse() only from 17 on. @returns null for an invalid URL */
export function urlOf(text: string, base?: string): URL | null {
  try {
    return new URL(text, base);
  } catch {
    return null;
  }
}
