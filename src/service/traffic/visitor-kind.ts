/** Kind of a visitor, by User-Agent: a person, a program of an AI service, or another program. */

export type VisitorKind = "human" | "ai" | "other";

/** AI services: assistants that fetch pages, coding agents, and crawlers for search and training. */
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

/** Search engines, link previews, monitors, headless browsers. */
const program =
  /(?<!cu)bot\b|crawl|spider|slurp|headless|phantom|lighthouse|pagespeed|preview|monitor|uptime|pingdom|statuscake|scrap|fetch|archive|validator|facebookexternalhit|whatsapp|embedly|mediapartners|apis-google|adsbot|feed|\brss\b|https?:\/\//i;

/** All browsers start with `Mozilla/`, except Opera Mini. Other programs aren't counted as people. */
const browser = /^(?:Mozilla\/\d|Opera\/\d)/;

export function visitorKind(userAgent: string | undefined): VisitorKind {
  if (!userAgent) return "other";
  if (ai.test(userAgent)) return "ai";
  return browser.test(userAgent) && !program.test(userAgent) ? "human" : "other";
}
