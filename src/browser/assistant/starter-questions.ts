/** Maximum number of suggested questions. */
const starters_count = 3;

/**
 * Returns questions to suggest on this page: those in the page's frontmatter, or else the headings and
 * accordion titles that are questions.
 */
export function starterQuestions(): string[] {
  const listed = document.querySelector<HTMLMetaElement>('meta[name="octavo:questions"]')?.content;
  const texts = listed
    ? listed.split("\n")
    : [...document.querySelectorAll<HTMLElement>(".o-body :is(h2, h3, summary)")].map(({ innerText }) =>
        innerText.trim(),
      );
  return [...new Set(texts)]
    .filter((text) => listed || /^.{8,120}[?？؟]$/.test(text))
    .slice(0, starters_count);
}
