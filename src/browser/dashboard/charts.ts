/**
 * Draws the page's charts from their tables, with stacked bars. Redraws them when the color mode changes, and
 * resizes them with the page.
 */

import uPlot from "uplot";
import { all } from "../dom.ts";

const height_px = 220;

/** Formats days in UTC, regardless of the browser's time zone. */
const day = new Intl.DateTimeFormat("en", {
  day: "numeric",
  month: "short",
  year: "numeric",
  timeZone: "UTC",
});
const shortDay = new Intl.DateTimeFormat("en", { day: "numeric", month: "short", timeZone: "UTC" });
const whole = new Intl.NumberFormat("en");

/** Times in seconds since 1970, and the values of each series at these times. */
type ChartData = [times: number[], ...series: number[][]];

interface ChartTable {
  /** Names of the series. */
  names: string[];
  data: ChartData;
}

for (const figure of all("[data-chart]")) drawChart(figure);

function drawChart(figure: HTMLElement): void {
  const plot = figure.querySelector<HTMLElement>(".d-plot")!;
  const table = readTable(figure);
  if (table.data[0].length === 0) return;

  let chart: uPlot | undefined;
  const draw = () => {
    chart?.destroy();
    chart = new uPlot(optionsOf(figure, table, plot.clientWidth), stacked(table.data), plot);
  };

  // A canvas doesn't load the font of its text.
  void document.fonts.load(font()).then(draw, draw);
  new ResizeObserver(() => {
    if (chart && plot.clientWidth !== chart.width)
      chart.setSize({ width: plot.clientWidth, height: height_px });
  }).observe(plot);

  new MutationObserver(draw).observe(document.documentElement, {
    attributes: true,
    attributeFilter: ["class"],
  });
}

/** Reads the table of a chart: a row for each time, with a `<time>` and a `<data>` for each series. */
function readTable(figure: HTMLElement): ChartTable {
  const names = [...figure.querySelectorAll("details thead th")]
    .slice(1)
    .map((cell) => cell.textContent ?? "");
  const rows = [...figure.querySelectorAll("details tbody tr")];
  const times = rows.map((row) => Date.parse(row.querySelector("time")!.dateTime) / 1_000);
  const series = names.map((_, index) =>
    rows.map((row) => Number(row.querySelectorAll("data")[index]!.value)),
  );
  return { names, data: [times, ...series] };
}

/**
 * Adds the following series to each series. Each series is drawn over the previous one, so only its own part
 * stays visible.
 */
function stacked([times, ...series]: ChartData): ChartData {
  const sums = series.map((_, index) =>
    times.map((_, at) => series.slice(index).reduce((sum, values) => sum + values[at]!, 0)),
  );
  return [times, ...sums];
}

function optionsOf(figure: HTMLElement, table: ChartTable, width: number): uPlot.Options {
  const [times] = table.data;
  const step_s = times.length > 1 ? times[1]! - times[0]! : 86_400;
  return {
    width,
    height: height_px,
    cursor: { y: false, drag: { setScale: false, x: false, y: false } },
    // Leaves space for half a bar on both sides.
    scales: {
      x: { time: true, range: (_chart, first, last) => [first - step_s / 2, last + step_s / 2] },
      y: { range: (_chart, _least, most) => [0, Math.max(4, most * 1.1)] },
    },
    axes: axesOf(figure),
    series: seriesOf(figure, table, step_s),
  };
}

/** Days below the chart, and the values on its left. The figure's `data-chart` is their unit. */
function axesOf(figure: HTMLElement): uPlot.Axis[] {
  const text = color(figure, "--o-text-muted");
  const grid = { stroke: color(figure, "--o-border"), width: 1 };
  const axis = { stroke: text, font: font(), grid, ticks: { ...grid, size: 6 } };
  return [
    {
      ...axis,
      grid: { show: false },
      space: 80,
      values: (_chart, splits) => splits.map((seconds) => shortDay.format(seconds * 1_000)),
      incrs: [1, 2, 7, 14, 28, 56, 91, 182, 364].map((days) => days * 86_400),
    },
    {
      ...axis,
      label: figure.dataset.chart ?? "",
      labelFont: font(),
      labelSize: 20,
      size: (_chart, values) => 16 + 7 * Math.max(2, ...(values ?? []).map((value) => value.length)),
      incrs: [1, 2, 5]
        .flatMap((step) => Array.from({ length: 9 }, (_, zeros) => step * 10 ** zeros))
        .sort((a, b) => a - b),
      values: (_chart, splits) => splits.map((value) => whole.format(value)),
    },
  ];
}

/** Entries of the legend, with totals unless the pointer is on a bar. `step_s`: time that a bar covers. */
function seriesOf(figure: HTMLElement, { names, data }: ChartTable, step_s: number): uPlot.Series[] {
  const [, ...values] = data;
  const totals = values.map((series) => series.reduce((sum, value) => sum + value, 0));
  return [
    {
      label: "Period",
      value: (_chart, seconds) =>
        seconds === null ? "Whole period" : `${step_s > 86_400 ? "From " : ""}${day.format(seconds * 1_000)}`,
    },
    ...names.map((label, index) => ({
      label,
      paths: uPlot.paths.bars!({ size: [0.7, 40], radius: 0.1 }),
      fill: color(figure, `--d-series-${index + 1}`),
      stroke: color(figure, `--d-series-${index + 1}`),
      width: 0,
      points: { show: false },
      value: (_chart: uPlot, _sum: number | null, _series: number, at: number | null) =>
        whole.format(at === null ? totals[index]! : values[index]![at]!),
    })),
  ];
}

/** Font of the axes, as in CSS. */
function font(): string {
  return `12px ${getComputedStyle(document.body).fontFamily}`;
}

/** Returns the color in a CSS variable, since a canvas can't use CSS variables. */
function color(figure: HTMLElement, name: string): string {
  const probe = document.createElement("i");
  probe.style.color = `var(${name})`;
  figure.append(probe);
  const { color } = getComputedStyle(probe);
  probe.remove();
  return color;
}
