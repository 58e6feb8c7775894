import type { Duration, FieldMask, Timestamp } from "@bufbuild/protobuf/wkt";
import type { Write } from "./write.ts";

/**
 * JSON forms of the well-known types that the contract uses (protobuf JSON mapping). `Struct` is plain JSON already.
 */
export const wellKnownWriters: ReadonlyMap<string, Write> = new Map<string, Write>([
  ["google.protobuf.Timestamp", (value) => writeTimestamp(value as Timestamp)],
  ["google.protobuf.Duration", (value) => writeDuration(value as Duration)],
  ["google.protobuf.FieldMask", (value) => writeFieldMask((value as FieldMask).paths)],
  ["google.protobuf.Struct", (value) => value],
  ["google.protobuf.Empty", () => ({})],
]);

/** Returns the names of fields as JSON has them: in camel case, with commas between. */
export const writeFieldMask = (paths: readonly string[]): string => paths.map(toCamelCase).join(",");

const toCamelCase = (path: string): string => path.replaceAll(/_([a-z])/g, (_, letter: string) => letter.toUpperCase());

// RFC 3339 in UTC with 0, 3, 6 or 9 fractional digits, as few as preserve the value.
function writeTimestamp({ seconds, nanos }: Timestamp): string {
  const whole = new Date(Number(seconds) * 1000).toISOString().slice(0, 19);
  return `${whole}${fraction(nanos)}Z`;
}

function writeDuration({ seconds, nanos }: Duration): string {
  const sign = seconds < 0n || nanos < 0 ? "-" : "";
  return `${sign}${seconds < 0n ? -seconds : seconds}${fraction(Math.abs(nanos))}s`;
}

function fraction(nanos: number): string {
  if (nanos === 0) return "";
  const digits = String(nanos).padStart(9, "0");
  if (digits.endsWith("000000")) return `.${digits.slice(0, 3)}`;
  return digits.endsWith("000") ? `.${digits.slice(0, 6)}` : `.${digits}`;
}
