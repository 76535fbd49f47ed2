// Decides whether the tests may install something outside the checkout.
import { createInterface } from "node:readline/promises";

/** Always allowed in CI, otherwise after a yes on a terminal. */
export async function mayInstall(question) {
  if (process.env.CI) return true;
  if (!process.stdin.isTTY || !process.stderr.isTTY) return false;
  const prompt = createInterface({ input: process.stdin, output: process.stderr });
  const answer = await prompt.question(`${question} [y/N] `);
  prompt.close();
  return /^y(?:es)?$/i.test(answer.trim());
}
