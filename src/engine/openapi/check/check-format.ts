/** Checks string and number formats. Each check takes linear time. */

const daysOfMonth = [31, 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31];

function isDate(text: string): boolean {
  const [, year, month, day] = /^(\d{4})-(\d\d)-(\d\d)$/.exec(text)?.map(Number) ?? [];
  if (year === undefined || !month || !day || month > 12) return false;
  const isLeap = (year % 4 === 0 && year % 100 !== 0) || year % 400 === 0;
  return day <= daysOfMonth[month - 1]! + (month === 2 && isLeap ? 1 : 0);
}

function isTime(text: string): boolean {
  const found = /^(\d\d):(\d\d):(\d\d)(?:\.\d+)?(?:z|([+-])(\d\d):(\d\d))$/i.exec(text);
  if (!found) return false;
  const [hour = 0, minute = 0, second = 0, zoneHour = 0, zoneMinute = 0] = [1, 2, 3, 5, 6].map((group) =>
    Number(found[group] ?? 0),
  );
  if (hour > 23 || minute > 59 || second > 60 || zoneHour > 23 || zoneMinute > 59) return false;
  const utc_min = hour * 60 + minute - (found[4] === "-" ? -1 : 1) * (zoneHour * 60 + zoneMinute);
  // Leap seconds are added at the end of a day in UTC.
  return second < 60 || (utc_min + 2 * 1440) % 1440 === 1439;
}

function isDateTime(text: string): boolean {
  return /^[t ]$/i.test(text.charAt(10)) && isDate(text.slice(0, 10)) && isTime(text.slice(11));
}

function isIpv4(text: string): boolean {
  return /^(?:(?:25[0-5]|2[0-4]\d|1\d\d|[1-9]?\d)(?:\.(?!$)|$)){4}$/.test(text);
}

function isIpv6(text: string): boolean {
  const halves = text.split("::");
  if (halves.length > 2) return false;
  const groups = halves.flatMap((half) => (half ? half.split(":") : []));
  const last = groups.at(-1) ?? "";
  const isMixed = last.includes(".") && isIpv4(last);
  const count = groups.length + (isMixed ? 1 : 0);
  if (!(isMixed ? groups.slice(0, -1) : groups).every((group) => /^[0-9a-f]{1,4}$/i.test(group)))
    return false;
  return halves.length === 2 ? count < 8 : count === 8;
}

function isHostname(text: string): boolean {
  return (
    text.length <= 253 &&
    text.split(".").every((label) => /^[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?$/i.test(label))
  );
}

function isEmailWith(text: string, isHost: (host: string) => boolean, atom: RegExp): boolean {
  const at = text.lastIndexOf("@");
  const [local, host] = [text.slice(0, Math.max(0, at)), text.slice(at + 1)];
  const isLocal =
    local.length <= 64 &&
    (/^"(?:[^"\\]|\\.)+"$/u.test(local) ||
      (local !== "" && local.split(".").every((part) => atom.test(part))));
  const literal = /^\[(?:(IPv6:)(.+)|(.+))\]$/i.exec(host);
  return isLocal && (literal ? (literal[1] ? isIpv6(literal[2]!) : isIpv4(literal[3]!)) : isHost(host));
}

/**
 * Characters that a label of a host name can contain only next to other characters, with the context that
 * they need.
 */
const contextRules: readonly [RegExp, RegExp][] = [
  [/\u00b7/u, /^(?:[^\u00b7]|(?<=l)\u00b7(?=l))*$/u],
  [/\u0375/u, /^(?:[^\u0375]|\u0375(?=\p{Script=Greek}))*$/u],
  [/[\u05f3\u05f4]/u, /^(?:[^\u05f3\u05f4]|(?<=\p{Script=Hebrew})[\u05f3\u05f4])*$/u],
  [/\u30fb/u, /[\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Han}]/u],
  [/[\u0660-\u0669]/u, /^[^\u06f0-\u06f9]*$/u],
  [/\u200d/u, /^(?:[^\u200d]|(?<=\p{M})\u200d)*$/u],
  [/\u200c/u, /^(?:[^\u200c]|(?<=\p{M})\u200c|(?<=\p{Script=Arabic})\u200c(?=\p{Script=Arabic}))*$/u],
];

function isIdnHostname(text: string): boolean {
  return text.length <= 253 && text.split(/[.\u3002\uff0e\uff61]/).every(isIdnLabel);
}

function isIdnLabel(label: string): boolean {
  if (
    !/^(?!-)[\p{L}\p{M}\p{N}\-\u00b7\u0375\u05f3\u05f4\u06fd\u06fe\u0f0b\u30fb\u200c\u200d]+(?<!-)$/u.test(
      label,
    )
  )
    return false;

  if (/^\p{M}|[\u0640\u07fa\u302e\u302f\u3031-\u3035\u303b]/u.test(label)) return false;
  const isEncoded = /^xn--/i.test(label);

  // In Punycode, the ASCII characters of the label follow the prefix.
  if (/^..--/u.test(isEncoded ? label.slice(4) : label)) return false;
  if (contextRules.some(([character, context]) => character.test(label) && !context.test(label)))
    return false;
  const encoded = punycode(label);
  return encoded !== undefined && encoded.length <= 63 && !(isEncoded && /^xn--.*[^a-z0-9-]/i.test(encoded));
}

/** Returns the ASCII form of a label. Undefined if it has none. */
function punycode(label: string): string | undefined {
  try {
    return new URL(`https://${label}.example`).hostname.slice(0, -".example".length);
  } catch {
    return undefined;
  }
}

function isUriReference(text: string): boolean {
  return (
    /^[\w\-.~:/?[\]@!$&'()*+,;=%]*(?:#[\w\-.~:/?@!$&'()*+,;=%]*)?$/.test(text) &&
    !/%(?![0-9a-f]{2})/i.test(text) &&
    hasHost(text)
  );
}

function isIriReference(text: string): boolean {
  return (
    /^[^\s<>"{}|\\^`#]*(?:#[^\s<>"{}|\\^`#]*)?$/u.test(text) &&
    !/%(?![0-9a-f]{2})/i.test(text) &&
    hasHost(text)
  );
}

/** Whether the host of a URI has at most one colon, before the port. IPv6 addresses are in brackets. */
function hasHost(text: string): boolean {
  const host = /^(?:[a-z][a-z0-9+.-]*:)?\/\/([^/?#]*)/i.exec(text)?.[1]?.replace(/^.*@/, "") ?? "";
  return /^(?:\[[^[\]]*\]|[^:[\]]*)(?::\d*)?$/.test(host);
}

const scheme = /^[a-z][a-z0-9+.-]*:/i;
const pointer = "(?:/(?:[^~/]|~[01])*)*";
const jsonPointer = new RegExp(`^${pointer}$`, "u");
const relativePointer = new RegExp(`^(?:0|[1-9]\\d*)(?:#|${pointer})$`, "u");
const duration =
  /^P(?!$)(?:\d+W|(?:\d+Y)?(?:\d+M)?(?:\d+D)?(?:T(?=\d)(?:\d+H)?(?:\d+M)?(?:\d+(?:\.\d+)?S)?)?)$/;
/** Maximum length of a regular expression that is checked, in characters. */
const regex_chars = 1_000;

function isRegex(text: string): boolean {
  try {
    if (text.length <= regex_chars) new RegExp(text, "u");
    return true;
  } catch {
    return false;
  }
}

const textFormats = new Map<string, (text: string) => boolean>([
  ["date", isDate],
  ["date-time", isDateTime],
  ["time", isTime],
  ["duration", (text) => duration.test(text)],
  ["email", (text) => isEmailWith(text, isHostname, /^[\w!#$%&'*+\-/=?^`{|}~]+$/)],
  ["idn-email", (text) => isEmailWith(text, isIdnHostname, /^[^\s@.()<>[\]:;,\\"]+$/u)],
  ["hostname", isHostname],
  ["idn-hostname", isIdnHostname],
  ["ipv4", isIpv4],
  ["ipv6", isIpv6],
  ["uri", (text) => scheme.test(text) && isUriReference(text)],
  ["uri-reference", isUriReference],
  ["iri", (text) => scheme.test(text) && isIriReference(text)],
  ["iri-reference", isIriReference],
  ["uri-template", (text) => /^(?:[^{}\s]|\{[^{}\s]+\})*$/u.test(text)],
  ["json-pointer", (text) => jsonPointer.test(text)],
  ["relative-json-pointer", (text) => relativePointer.test(text)],
  ["regex", isRegex],
  ["uuid", (text) => /^[0-9a-f]{8}-(?:[0-9a-f]{4}-){3}[0-9a-f]{12}$/i.test(text)],
]);

const integerFormats: Record<string, number> = { int32: 32, int64: 64 };

/**
 * Whether a value has a format. True for unknown formats, and for values that the format doesn't apply to.
 */
export function hasFormat(value: unknown, format: string): boolean {
  if (typeof value === "string") return textFormats.get(format)?.(value) ?? true;
  const bits = Object.hasOwn(integerFormats, format) ? integerFormats[format] : undefined;
  if (bits === undefined || (typeof value !== "bigint" && !Number.isInteger(value))) return true;
  const whole = BigInt(value as number | bigint);
  return BigInt.asIntN(bits, whole) === whole;
}
