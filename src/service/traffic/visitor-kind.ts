/**
 * Determines the kind of a visitor from `User-Agent`: `human`, `ai` (a program from an AI service) or
 * `other`.
 */

export type VisitorKind = "human" | "ai" | "other";

/**
 * Matches programs from AI services: assistants that fetch pages, coding agents, and crawlers for search and
 * training.
 */
const ai = new RegExp(
  [
    "chatgpt|openai|gptbot|oai-searchbot",
    "claude|anthropic",
    "perplexity",
    "google-cloudvertexbot|googleagent|gemini|notebooklm|google-extended",
    "mistralai|le-chat",
    "meta-external|facebookbot",
    "copilot|bingchat",
    "cohere|deepseek|kimi|moonshot|qwen|doubao|bytespider|grok|xai-",
    "amazonbot|novaact|bedrockbot",
    "applebot-extended|duckassistbot|youbot|phindbot|andibot|linerbot|kagi-?assistant",
    "ccbot|ai2bot|diffbot|timpibot|omgili|webzio|imagesiftbot|cotoyogi|icc-crawler",
    "tavily|exabot|firecrawl|crawl4ai|jina",
    "cursor\\/|windsurf|devin|cline\\/|aider|codex|opencode|manus-user|goose\\/",
  ].join("|"),
  "i",
);

/** Matches other programs: search engines, link previews, monitors and headless browsers. */
const program =
  /(?<!cu)bot\b|crawl|spider|slurp|headless|phantom|lighthouse|pagespeed|preview|monitor|uptime|pingdom|statuscake|scrap|fetch|archive|validator|facebookexternalhit|whatsapp|embedly|mediapartners|apis-google|adsbot|feed|\brss\b|https?:\/\//i;

/**
 * Matches the `User-Agent` of browsers, which starts with `Mozilla/`, or with `Opera/` for Opera Mini. Some
 * programs also send such a `User-Agent`.
 */
const browser = /^(?:Mozilla\/\d|Opera\/\d)/;

export function visitorKind(userAgent: string | undefined): VisitorKind {
  if (!userAgent) return "other";
  if (ai.test(userAgent)) return "ai";
  return browser.test(userAgent) && !program.test(userAgent) ? "human" : "other";
}
