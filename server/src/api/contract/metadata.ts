import type { MessageInitShape } from "@bufbuild/protobuf";
import type { MetadataQuery, MetadataSchema as MetadataV1Schema } from "@doorward/api/service/metadata/v1/metadata_pb";
import type { MetadataSchema, MetadataSearchFilter } from "@doorward/api/service/metadata/v2/metadata_pb";
import type { Instant } from "../../base/clock.ts";
import type { TextMethod } from "../../database/index.ts";
import { toObjectDetails } from "./details.ts";
import { refuseFilter, toTextMethod } from "./filter.ts";
import { toTimestamp } from "./timestamp.ts";

/** Returns the filters of a metadata list. */
export function toMetadataFilters(
  filters: readonly MetadataSearchFilter[],
): { readonly key: string; readonly method: TextMethod }[] {
  return filters.map(({ filter }, index) => {
    if (filter.case === undefined) return refuseFilter(`filters[${index}]`);
    return { key: filter.value.key, method: toTextMethod(filter.value.method) };
  });
}

/** Returns a pair as a message. */
export function toMetadataMessage(metadata: {
  readonly key: string;
  readonly value: Uint8Array;
  readonly createdAt: Instant;
  readonly changedAt: Instant;
}): MessageInitShape<typeof MetadataSchema> {
  const { key, value, createdAt, changedAt } = metadata;
  return { key, value, creationDate: toTimestamp(createdAt), changeDate: toTimestamp(changedAt) };
}

/** Returns the filters of a metadata list in v1. */
export function toMetadataFiltersV1(
  queries: readonly MetadataQuery[],
): { readonly key: string; readonly method: TextMethod }[] {
  return queries.map(({ query }, index) => {
    if (query.case === undefined) return refuseFilter(`queries[${index}]`);
    return { key: query.value.key, method: toTextMethod(query.value.method) };
  });
}

/** Returns a pair as a v1 message. Pairs share the sequence of their owner, so they have none of their own. */
export function toMetadataMessageV1(
  { key, value, createdAt, changedAt }: Parameters<typeof toMetadataMessage>[0],
  ownerId: string,
): MessageInitShape<typeof MetadataV1Schema> {
  return { key, value, details: toObjectDetails({ sequence: 0, createdAt, changedAt, ownerId }) };
}
