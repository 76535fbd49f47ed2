/**
 * Formats a size limit in megabytes, such as `25 MB`. A multiple of 1,048,576 bytes is divided by that, other
 * values by 1,000,000.
 */
export function megabytes(bytes: number): string {
  const unit_bytes = bytes % 1_048_576 === 0 ? 1_048_576 : 1_000_000;
  return `${Number((bytes / unit_bytes).toFixed(1)).toLocaleString("en-US")} MB`;
}
