import { useState } from "preact/hooks";
import { copied_ms, copyText } from "./clipboard.ts";

/**
 * Returns whether a button shows that its text was copied, and a function that copies a text and resolves
 * with whether that was possible. The button shows it for `copied_ms`.
 */
export function useCopied(): [isCopied: boolean, copy: (text: string) => Promise<boolean>] {
  const [isCopied, setCopied] = useState(false);
  const copy = async (text: string) => {
    if (!(await copyText(text))) return false;
    setCopied(true);
    setTimeout(() => setCopied(false), copied_ms);
    return true;
  };
  return [isCopied, copy];
}
