/** A time that events are asked of. */
export interface Period {
  /** The parameters of the address, which tell periods apart. */
  readonly key: string;
  /** Returns both ends in milliseconds, as they are now. */
  readonly bounds: (now: number) => { readonly since?: number; readonly until?: number };
}

const hour = 3_600_000;

/** Periods that end now, by their name in the address. */
export const recent = { "1h": hour, "24h": 24 * hour, "7d": 7 * 24 * hour, "30d": 30 * 24 * hour } as const;

const lengths: Readonly<Record<string, number>> = recent;

/** The period of which both ends are given. */
export const customPeriod = "custom";

/** Reads the period from the address; everything when it has none. */
export function readPeriod({ period, since, until }: Readonly<Record<string, string | undefined>>): Period {
  const length = lengths[period ?? ""];
  if (length !== undefined) return { key: period ?? "", bounds: (now) => ({ since: now - length }) };
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
