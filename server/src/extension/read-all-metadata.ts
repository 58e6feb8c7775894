import { type Reader, readWhole } from "../database/index.ts";
import { listMetadata, type Metadata } from "../domain/metadata/index.ts";

// What one description holds.
const mostPairs = 10_000;

/** Reads all metadata of an owner; undefined where there is too much for a description. */
export const readAllMetadata = (
  reader: Reader,
  instanceId: string,
  owner: { readonly type: "user" | "organization"; readonly id: string },
): Promise<Metadata[] | undefined> =>
  readWhole(mostPairs, async (page) => {
    const { metadata, total } = await listMetadata(reader, instanceId, {
      owner,
      keyFilters: [],
      page,
      isDescending: false,
    });
    return { rows: metadata, total };
  });
