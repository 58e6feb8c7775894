import type { Timestamp } from "@bufbuild/protobuf/wkt";
import { formatExactly, formatRelatively, toDate } from "../text/format.ts";

/** An instant of the server: how long ago, and the exact time in the browser's zone as its tip. */
export function Time({ at }: { readonly at: Timestamp | undefined }) {
  const date = toDate(at);
  if (date === undefined || date.getTime() === 0) return <span className="muted">–</span>;
  return (
    <time dateTime={date.toISOString()} title={formatExactly(date)}>
      {formatRelatively(date)}
    </time>
  );
}
