/** A moment, in milliseconds since 1970-01-01T00:00:00Z. */
export type Instant = number;

/** Returns the current time. Passed in everywhere, so that rules about time become one-line tests. */
export type Clock = () => Instant;

/** The machine's clock: the only place that reads it. */
export const systemClock: Clock = () => Date.now();

export const seconds = (count: number): number => count * 1000;
export const minutes = (count: number): number => count * 60_000;
export const hours = (count: number): number => count * 3_600_000;
export const days = (count: number): number => count * 86_400_000;

/** NumericDate of RFC 7519 §2: whole seconds, rounded down. */
export const toNumericDate = (instant: Instant): number => Math.floor(instant / 1000);

/** ISO 8601 in UTC, as every API answer writes instants. */
export const toIso = (instant: Instant): string => new Date(instant).toISOString();
