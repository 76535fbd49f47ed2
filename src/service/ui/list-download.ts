/** Streams the dashboard's lists as CSV or NDJSON downloads, batch by batch. */

import { Readable } from "node:stream";
import { type Cell, csvLine } from "../../base/csv.ts";
import { type DashboardResponse, download } from "./dashboard-response.ts";
import type { ProjectVisit } from "./visit.ts";

export interface DownloadColumn<Row> {
  name: string;
  /** Returns the value in NDJSON. */
  value(row: Row): unknown;
  /** Returns the value in CSV, if it differs from the value in NDJSON. */
  cell?(row: Row): Cell;
}

export type DownloadFormat = "csv" | "ndjson";

/** Returns the format in the query parameter `format`. Undefined if there is none, or it is unknown. */
export function downloadFormat({ url }: { url: URL }): DownloadFormat | undefined {
  const format = url.searchParams.get("format");
  return format === "csv" || format === "ndjson" ? format : undefined;
}

/**
 * Creates a download of a project's data. `name`: end of the file name, without the extension. `batches` are
 * read as fast as the client downloads.
 */
export function analyticsDownload<Row>(
  { project }: Pick<ProjectVisit, "project">,
  name: string,
  format: DownloadFormat,
  columns: readonly DownloadColumn<Row>[],
  batches: AsyncIterable<readonly Row[]>,
): DashboardResponse {
  return fileDownload(`${project.subdomain}-${name}`, format, columns, batches);
}

/** Like `analyticsDownload`, for data that belongs to no project. `name`: file name without its extension. */
export function fileDownload<Row>(
  name: string,
  format: DownloadFormat,
  columns: readonly DownloadColumn<Row>[],
  batches: AsyncIterable<readonly Row[]>,
): DashboardResponse {
  const lines = format === "csv" ? csvLines(columns, batches) : jsonLines(columns, batches);
  const type = format === "csv" ? "text/csv; charset=utf-8" : "application/x-ndjson; charset=utf-8";
  return download(`${name}.${format}`, type, Readable.from(lines, { objectMode: false, highWaterMark: 1 }));
}

/** Yields CSV with a byte order mark, so that spreadsheet programs read it as UTF-8. */
async function* csvLines<Row>(
  columns: readonly DownloadColumn<Row>[],
  batches: AsyncIterable<readonly Row[]>,
): AsyncGenerator<string> {
  yield `\uFEFF${csvLine(columns.map(({ name }) => name))}`;
  for await (const rows of batches)
    if (rows.length)
      yield rows
        .map((row) => csvLine(columns.map(({ value, cell }) => (cell ?? (value as (row: Row) => Cell))(row))))
        .join("");
}

async function* jsonLines<Row>(
  columns: readonly DownloadColumn<Row>[],
  batches: AsyncIterable<readonly Row[]>,
): AsyncGenerator<string> {
  for await (const rows of batches)
    if (rows.length)
      yield rows
        .map(
          (row) =>
            `${JSON.stringify(Object.fromEntries(columns.map(({ name, value }) => [name, value(row)])))}\n`,
        )
        .join("");
}
