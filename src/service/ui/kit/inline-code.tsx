/** A sentence that renders text between backticks as code. */
export function InlineCode({ text }: { text: string }) {
  return <>{text.split("`").map((part, index) => (index % 2 ? <code key={index}>{part}</code> : part))}</>;
}
