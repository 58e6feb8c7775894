import assert from "node:assert/strict";
import type { RecordingApi } from "./api.ts";

const longest = 1000;

/** Reads every event from the API, as a caller who may read all of them. */
export async function eventsTold(api: RecordingApi): Promise<void> {
  const types = await api.rest("POST", "/admin/v1/aggregates/types/_search", { body: {} });
  assert.equal(types.status, 200, types.exchange.body);
  const aggregateTypes: string[] = types.body.aggregateTypes.map(({ type }: { type: string }) => type);
  let count = 0;
  for (const type of aggregateTypes) {
    const { status, body, exchange } = await api.rest("POST", "/admin/v1/events/_search", {
      body: { limit: longest, aggregateTypes: [type] },
    });
    assert.equal(status, 200, exchange.body);
    const { length } = body.events ?? [];
    assert.ok(length < longest, `there are more events of ${type} than one answer has`);
    count += length;
  }
  assert.ok(count > 200, `${count} events`);
}
