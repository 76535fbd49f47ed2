/**
 * Returns the link to support for the assistant's script, with `{threadId}` in the place of the
 * conversation's ID: in the parameter `threadId` of a web page, and in the text of an email.
 */
export function supportLink({ support }: { support?: string } = {}): { support?: string } {
  if (support === undefined) return {};
  const start = (url: string) => (url.includes("?") ? "&" : "?");
  if (!support.startsWith("mailto:")) {
    const [, url = "", fragment = ""] = /^([^#]*)(.*)$/s.exec(support) ?? [];
    return { support: `${url}${start(url)}threadId={threadId}${fragment}` };
  }

  const line = "%0A%0AID%3A%20{threadId}";
  const body = /[?&]body=[^&]*/i;
  return {
    support: body.test(support)
      ? support.replace(body, (text) => text + line)
      : `${support}${start(support)}body=${line}`,
  };
}
