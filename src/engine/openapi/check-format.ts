/** Checks string and number formats. Each check takes linear time. */

const daysOfMonth = [31, 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31];

function isDate(text: string): boolean {
  const [, year, month, day] = /^(\d{4})-(\d\d)-(\d\d)$/.exec(text)?.map(Number) ?? [];
  if (year === undefined || !month || !day || month > 12) return false;
  const isLeap = (year % 4 === 0 && year % 100 !== 0) || year % 400 === 0;
  return day <= daysOfMonth[month - 1]! + (month === 2 && isLeap ? 1 : 0);
}

function isTime(text: string): boolean {
  const [, hour, minute, second, zone] = /^(\d\d):(\d\d):(\d\d)(?:\.\d+)?(z|[+-]\d\d:\d\d)$/i.exec(text) ?? [];
  if (zone === undefined) return false;
  const [, zoneHour = 0, zoneMinute = 0] = /(\d\d):(\d\d)/.exec(zone) ?? [];
  return Number(hour) < 24 && Number(minute) < 60 && Number(second) <= 60 && Number(zoneHour) < 24 && Number(zoneMinute) < 60;
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
  if (!(isMixed ? groups.slice(0, -1) : groups).every((group) => /^[0-9a-f]{1,4}$/i.test(group))) return false;
  return halves.length === 2 ? count < 8 : count === 8;
}

function isHostname(text: string): boolean {
  return text.length <= 253 && text.split(".").every((label) => /^[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?$/i.test(label));
}

function isEmail(text: string): boolean {
  const at = text.lastIndexOf("@");
  return /^[^\s@]{1,64}$/.test(text.slice(0, Math.max(0, at))) && (isHostname(text.slice(at + 1)) || /^\[.+\]$/.test(text.slice(at + 1)));
}

function isUri(text: string): boolean {
  return /^[a-z][a-z0-9+.-]*:[\w\-.~:/?#[\]@!$&'()*+,;=%]*$/i.test(text) && !/%(?![0-9a-f]{2})/i.test(text);
}

const textFormats = new Map<string, (text: string) => boolean>([
  ["date", isDate],
  ["date-time", isDateTime],
  ["time", isTime],
  ["email", isEmail],
  ["hostname", isHostname],
  ["ipv4", isIpv4],
  ["ipv6", isIpv6],
  ["uri", isUri],
  ["uuid", (text) => /^[0-9a-f]{8}-(?:[0-9a-f]{4}-){3}[0-9a-f]{12}$/i.test(text)],
]);

const integerFormats: Record<string, number> = { int32: 32, int64: 64 };

/** Whether a value has a format. True for unknown formats, and for values that the format doesn't apply to. */
export function hasFormat(value: unknown, format: string): boolean {
  if (typeof value === "string") return textFormats.get(format)?.(value) ?? true;
  const bits = Object.hasOwn(integerFormats, format) ? integerFormats[format] : undefined;
  if (bits === undefined || (typeof value !== "bigint" && !Number.isInteger(value))) return true;
  const whole = BigInt(value as number | bigint);
  return BigInt.asIntN(bits, whole) === whole;
}
