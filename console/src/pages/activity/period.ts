/** A time that events are asked of. */
export interface Period {
  /** The parameters of the address, which tell periods apart. */
  readonly key: string;
  /** Returns both ends in milliseconds, as they are now. */
  readonly bounds: (now: number) => { readonly since?: number; readonly until?: number };
}

const hour = 3_600_000;

/** Periods that end now, by their name in the address, and how each begins. */
const recent = {
  "1h": (now: number) => now - hour,
  /** Since midnight in the reader's zone, which need not be a multiple of an hour ago. */
  today: (now: number) => new Date(now).setHours(0, 0, 0, 0),
  "24h": (now: number) => now - 24 * hour,
  "7d": (now: number) => now - 7 * 24 * hour,
  "30d": (now: number) => now - 30 * 24 * hour,
} as const;

/** The names of these periods, in the order of choices. */
export const recentNames = Object.keys(recent) as readonly (keyof typeof recent)[];

/** Returns when a period that ends now began; undefined for any other name. */
export const sinceOf = (name: string, now: number): number | undefined => beginOf(name)?.(now);

const begins: Readonly<Record<string, (now: number) => number>> = recent;
const beginOf = (name: string) => (Object.hasOwn(begins, name) ? begins[name] : undefined);

/** The period of which both ends are given. */
export const customPeriod = "custom";

/** Reads the period from the address; everything when it has none. */
export function readPeriod({ period, since, until }: Readonly<Record<string, string | undefined>>): Period {
  const begin = beginOf(period ?? "");
  if (begin !== undefined) return { key: period ?? "", bounds: (now) => ({ since: begin(now) }) };
  if (period !== customPeriod) return { key: "", bounds: () => ({}) };
  const [from, to] = [toInstant(since), toInstant(until)];
  return {
    key: `${from} ${to}`,
    bounds: () => ({
      ...(from !== undefined && { since: from }),
      // The field has minutes, so the last one counts as a whole.
      ...(to !== undefined && { until: to + 59_999 }),
    }),
  };
}

const toInstant = (local: string | undefined): number | undefined => {
  const instant = new Date(local ?? "").getTime();
  return Number.isNaN(instant) ? undefined : instant;
};
