/** Lists the languages of code samples and finds them by name. */

import type { HttpRequest } from "../request/request-model.ts";
import { cSample } from "./c.ts";
import { cppSample } from "./cpp.ts";
import { csharpSample } from "./csharp.ts";
import { curlSample } from "./curl.ts";
import { dartSample } from "./dart.ts";
import { dotnetSample } from "./dotnet.ts";
import { goSample } from "./go.ts";
import { javaSample } from "./java.ts";
import { javascriptSample, nodeSample, typescriptSample } from "./javascript.ts";
import { kotlinSample } from "./kotlin.ts";
import { phpSample } from "./php.ts";
import { powershellSample } from "./powershell.ts";
import { pythonSample } from "./python.ts";
import { rubySample } from "./ruby.ts";
import { rustSample } from "./rust.ts";
import { swiftSample } from "./swift.ts";

export interface SampleLanguage {
  key: string;
  /** Display name of the language. */
  label: string;
  /** Other accepted names, in lowercase. */
  aliases: string[];
  /** Name of the language in `tokenizeCode`. */
  syntax: string;
  sample: (request: HttpRequest) => string;
}

export const sampleLanguages: readonly SampleLanguage[] = [
  { key: "bash", label: "cURL", aliases: ["curl", "sh", "shell"], syntax: "bash", sample: curlSample },
  { key: "python", label: "Python", aliases: ["py"], syntax: "python", sample: pythonSample },
  { key: "javascript", label: "JavaScript", aliases: ["js"], syntax: "javascript", sample: javascriptSample },
  { key: "node", label: "Node.js", aliases: ["nodejs", "node.js"], syntax: "javascript", sample: nodeSample },
  { key: "php", label: "PHP", aliases: [], syntax: "php", sample: phpSample },
  { key: "go", label: "Go", aliases: ["golang"], syntax: "go", sample: goSample },
  { key: "java", label: "Java", aliases: [], syntax: "java", sample: javaSample },
  { key: "ruby", label: "Ruby", aliases: ["rb"], syntax: "ruby", sample: rubySample },
  { key: "powershell", label: "PowerShell", aliases: [], syntax: "powershell", sample: powershellSample },
  { key: "swift", label: "Swift", aliases: [], syntax: "swift", sample: swiftSample },
  { key: "csharp", label: "C#", aliases: ["c#"], syntax: "csharp", sample: csharpSample },
  { key: "dotnet", label: ".NET", aliases: [".net", "dot-net"], syntax: "csharp", sample: dotnetSample },
  { key: "typescript", label: "TypeScript", aliases: ["ts"], syntax: "typescript", sample: typescriptSample },
  { key: "c", label: "C", aliases: [], syntax: "c", sample: cSample },
  { key: "c++", label: "C++", aliases: ["cpp"], syntax: "cpp", sample: cppSample },
  { key: "kotlin", label: "Kotlin", aliases: ["kt"], syntax: "kotlin", sample: kotlinSample },
  { key: "rust", label: "Rust", aliases: ["rs"], syntax: "rust", sample: rustSample },
  { key: "dart", label: "Dart", aliases: ["flutter"], syntax: "dart", sample: dartSample },
];

/** Keys of the sample languages for sites that don't configure any. */
export const defaultLanguages: readonly string[] = [
  "bash",
  "python",
  "javascript",
  "php",
  "go",
  "java",
  "ruby",
];

/** Finds a language by key or alias, ignoring case. Undefined for an unknown language. */
export function languageOf(name: string): SampleLanguage | undefined {
  const lower = name.trim().toLowerCase();
  return sampleLanguages.find(({ key, aliases }) => key === lower || aliases.includes(lower));
}

/** Returns the key of the language with this key or alias. Undefined for an unknown language. */
export function languageKeyOf(name: string): string | undefined {
  return languageOf(name)?.key;
}
