/** Who reads, as far as a user agent says: a person, a program of an AI service, or some other program. */

export type VisitorKind = "human" | "ai" | "other";

/** AI services: what fetches a page to answer somebody, agents that write code, and crawlers for their search and training. */
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

/** Search engines, previews of links, monitors, browsers that nobody looks at. */
const program =
  /(?<!cu)bot\b|crawl|spider|slurp|headless|phantom|lighthouse|pagespeed|preview|monitor|uptime|pingdom|statuscake|scrap|fetch|archive|validator|facebookexternalhit|whatsapp|embedly|mediapartners|apis-google|adsbot|feed|\brss\b|https?:\/\//i;

/** Every browser that people use calls itself Mozilla; Opera Mini does not. Programs that say nothing of the kind are no people. */
const browser = /^(?:Mozilla\/\d|Opera\/\d)/;

export function visitorKind(userAgent: string | undefined): VisitorKind {
  if (!userAgent) return "other";
  if (ai.test(userAgent)) return "ai";
  return browser.test(userAgent) && !program.test(userAgent) ? "human" : "other";
}
