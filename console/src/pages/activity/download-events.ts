import { toJson } from "@bufbuild/protobuf";
import { type Event, EventSchema } from "@doorward/api/service/event/v1/event_pb";

/** Saves events in a file, one in JSON on each line, as the API returns them. */
export function downloadEvents(events: readonly Event[]): void {
  const lines = events.map((event) => `${JSON.stringify(toJson(EventSchema, event))}\n`);
  const address = URL.createObjectURL(new Blob(lines, { type: "application/x-ndjson" }));
  const link = document.createElement("a");
  link.href = address;
  link.download = "events.jsonl";
  link.click();
  // Some browsers read it after the click.
  setTimeout(() => URL.revokeObjectURL(address), 10_000);
}
