export function playgroundStrings(_language: string): Record<string, string> {
  return {};
}
