import { toJson } from "@bufbuild/protobuf";
import { type Event, EventSchema } from "@doorward/api/service/event/v1/event_pb";
import { saveFile } from "../../parts/save-file.ts";

/** Saves events in a file, one in JSON on each line, as the API returns them. */
export function downloadEvents(events: readonly Event[]): void {
  const lines = events.map((event) => `${JSON.stringify(toJson(EventSchema, event))}\n`);
  saveFile(new Blob(lines, { type: "application/x-ndjson" }), "events.jsonl");
}
