/**
 * A link for http and https URLs. Other URLs, which imported conversations may contain, are shown as text.
 */
export function WebLink({ url, text }: { url: string; text: string }) {
  if (!/^https?:\/\//i.test(url)) return <span>{text}</span>;
  return (
    <a href={url} rel="noopener noreferrer nofollow">
      {text}
    </a>
  );
}
