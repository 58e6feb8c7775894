import { t } from "../text/catalogue.ts";
import { formatNumber } from "../text/format.ts";

/** One thing that a chart counts. */
export interface ChartSeries {
  readonly key: string;
  readonly label: string;
  /** Color of its bars; `failed` is that of errors. */
  readonly color: 1 | 2 | 3 | "failed";
  /** One for each bucket, in their order. */
  readonly counts: readonly number[];
}

interface ChartProps {
  readonly title: string;
  /** The number that matters most, beside the title, and what it is of unless it is of all buckets. */
  readonly figure: { readonly count: number; readonly of?: string | undefined };
  readonly series: readonly ChartSeries[];
  /** A name for each bucket: a short one below the bars, and a full one for tips and the table. */
  readonly buckets: readonly { readonly short: string; readonly full: string }[];
}

// The bars are drawn on a grid without a unit, and stretched to the width of the chart.
const [barWidth, step, height] = [8, 10, 100];

/** Bars over time, each divided into what they count. The same numbers are below, as a table. */
export function Chart({ title, figure, series, buckets }: ChartProps) {
  const sums = buckets.map((_, index) => series.reduce((sum, { counts }) => sum + (counts[index] ?? 0), 0));
  const most = niceMaximum(Math.max(...sums));
  return (
    <figure className="chart">
      <figcaption>
        <span>{title}</span>
        <span>
          {figure.of && <span className="muted">{figure.of} </span>}
          <strong>{formatNumber(figure.count)}</strong>
        </span>
      </figcaption>
      <div className="chart-frame" aria-hidden="true">
        <span className="chart-most">{formatNumber(most)}</span>
        <svg viewBox={`0 0 ${buckets.length * step} ${height}`} preserveAspectRatio="none" aria-hidden="true">
          {buckets.map(({ full }, index) => (
            <g key={full}>
              <title>{tipOf(full, series, index)}</title>
              <rect className="chart-column" x={index * step} width={step} height={height} />
              {barsOf(series, index).map(({ color, from, count }) => (
                <rect
                  key={color}
                  className={`chart-bar chart-${color}`}
                  x={index * step + (step - barWidth) / 2}
                  width={barWidth}
                  y={height - ((from + count) / most) * height}
                  height={(count / most) * height}
                />
              ))}
            </g>
          ))}
        </svg>
        <div className="chart-ends">
          <span>{buckets[0]?.short}</span>
          <span>{buckets.at(-1)?.short}</span>
        </div>
      </div>
      {series.length > 1 && (
        <ul className="chart-legend">
          {series.map(({ key, label, color, counts }) => (
            <li key={key}>
              <span className={`chart-key chart-${color}`} aria-hidden="true" />
              {label} <strong>{formatNumber(counts.reduce((sum, count) => sum + count, 0))}</strong>
            </li>
          ))}
        </ul>
      )}
      <details>
        <summary>
          {t("usage.table")}
          <span className="only-read-aloud">: {title}</span>
        </summary>
        <ChartTable title={title} series={series} buckets={buckets} />
      </details>
    </figure>
  );
}

const ChartTable = ({ title, series, buckets }: Pick<ChartProps, "title" | "series" | "buckets">) => (
  // Scrolled by the keyboard, too.
  // biome-ignore lint/a11y/noNoninteractiveTabindex: a region that scrolls must be reachable (WCAG 2.1.1).
  <section className="chart-table" tabIndex={0} aria-label={title}>
    <table aria-label={title}>
      <thead>
        <tr>
          <th scope="col">{t("usage.time")}</th>
          {series.map(({ key, label }) => (
            <th key={key} scope="col">
              {label}
            </th>
          ))}
        </tr>
      </thead>
      <tbody>
        {buckets.map(({ full }, index) => (
          <tr key={full}>
            <th scope="row">{full}</th>
            {series.map(({ key, counts }) => (
              <td key={key}>{formatNumber(counts[index] ?? 0)}</td>
            ))}
          </tr>
        ))}
      </tbody>
    </table>
  </section>
);

/** Returns the parts of a bar from the bottom up. */
function barsOf(series: readonly ChartSeries[], index: number) {
  let from = 0;
  return series.flatMap(({ color, counts }) => {
    const count = counts[index] ?? 0;
    const bar = { color, from, count };
    from += count;
    return count === 0 ? [] : [bar];
  });
}

const tipOf = (name: string, series: readonly ChartSeries[], index: number): string =>
  [name, ...series.map(({ label, counts }) => `${label}: ${formatNumber(counts[index] ?? 0)}`)].join("\n");

/** Returns the next number that has only zeros after its first digit. */
function niceMaximum(value: number): number {
  const unit = 10 ** Math.floor(Math.log10(Math.max(1, value)));
  return ([1, 2, 3, 4, 5, 6, 8].find((times) => times * unit >= value) ?? 10) * unit;
}
