/** Decodes the fragment of a URL. Invalid encodings are unchanged. */
export function decodedFragment(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}
