/** Formats counts and sizes. */

const whole = new Intl.NumberFormat("en");

export function count(value: number): string {
  return whole.format(value);
}

export function bytes(value: number): string {
  const units = ["B", "KB", "MB", "GB"];
  const step = Math.min(units.length - 1, Math.floor(Math.log10(Math.max(1, value)) / 3));
  return `${step === 0 ? value : (value / 1_000 ** step).toFixed(1)} ${units[step]}`;
}
