/** Maximum length of a branch name, in UTF-16 code units. */
const branch_chars = 255;

/**
 * Whether Git accepts a text as the name of a branch, as `git check-ref-format --branch` does, and it isn't
 * longer than 255 characters.
 */
export function isBranchName(text: string): boolean {
  if (text === "" || text === "HEAD" || text.length > branch_chars || !text.isWellFormed()) return false;
  return !/^[-/]|[\u0000-\u0020\u007f~^:?*[\\]|\.\.|@\{|\/\/|(?:^|\/)\.|\.lock(?:\/|$)|[/.]$/.test(text);
}
