/** Finds the date in the label of a changelog entry. */

/**
 * Names of the months in several languages, from January to December. Abbreviations are the start of a name.
 */
const monthNames = [
  "january janvier januar enero gennaio janeiro januari stycznia января січня ocak",
  "february février februar febrero febbraio fevereiro februari lutego февраля лютого şubat",
  "march mars märz marzo março maart marca марта березня mart maret",
  "april avril abril aprile kwietnia апреля квітня nisan",
  "may mai mayo maggio maio mei maja мая травня mayıs",
  "june juin juni junio giugno junho czerwca июня червня haziran",
  "july juillet juli julio luglio julho lipca июля липня temmuz",
  "august août agosto augustus sierpnia августа серпня ağustos agustus",
  "september septembre septiembre settembre setembro września сентября вересня eylül",
  "october octobre oktober octubre ottobre outubro października октября жовтня ekim",
  "november novembre noviembre novembro listopada ноября листопада kasım",
  "december décembre dezember diciembre dicembre dezembro grudnia декабря грудня aralık desember",
].map((names) => names.split(" "));

/** Number of characters of a label that are searched for a date. */
const label_chars = 200;

/**
 * Returns the first complete date in a text in ISO format. A month without a day is the first of the month.
 * Undefined if there is none.
 */
export function entryDate(label: string): string | undefined {
  const text = label.slice(0, label_chars);
  const numeric = /(?<![\d.])(\d{4})([-/.])(\d{1,2})\2(\d{1,2})(?!\d)/.exec(text);
  if (numeric) return isoDate(numeric[1]!, numeric[3]!, numeric[4]!);
  const german = /(?<![\d.])(\d{1,2})\.(\d{1,2})\.(\d{4})(?![\d.]*\d)/.exec(text);
  if (german) return isoDate(german[3]!, german[2]!, german[1]!);
  const eastAsian = /(\d{4})\s?[年년]\s?(\d{1,2})\s?[月월](?:\s?(\d{1,2})\s?[日일])?/.exec(text);
  if (eastAsian) return isoDate(eastAsian[1]!, eastAsian[2]!, eastAsian[3] ?? "1");
  const month = /^\s*(\d{4})-(\d{2})\s*$/.exec(text);
  return month ? isoDate(month[1]!, month[2]!, "1") : writtenDate(text);
}

/** Finds a date with the name of a month: `June 12, 2026`, `12 June 2026` or `June 2026`. */
function writtenDate(text: string): string | undefined {
  // Without the numbers of versions, such as 2.1.
  const words = text.toLowerCase().match(/\p{L}+|(?<![\d.])\d+(?!\d*\.\d)/gu) ?? [];
  for (const [index, word] of words.entries()) {
    const month =
      word.length < 3 ? -1 : monthNames.findIndex((names) => names.some((name) => name.startsWith(word)));
    if (month < 0) continue;
    const year = words.slice(index + 1, index + 4).find((other) => /^(?:19|20)\d\d$/.test(other));
    if (year === undefined) continue;
    const isDay = (other: string | undefined) => other !== undefined && /^\d{1,2}$/.test(other);
    const day = [words[index + 1], words[index - 1], words[index - 2]].find(isDay) ?? "1";
    return isoDate(year, String(month + 1), day);
  }
  return undefined;
}

function isoDate(year: string, month: string, day: string): string | undefined {
  const iso = `${year}-${month.padStart(2, "0")}-${day.padStart(2, "0")}`;
  const time = Date.parse(`${iso}T00:00:00Z`);
  return !Number.isNaN(time) && new Date(time).toISOString().startsWith(iso) ? iso : undefined;
}
