export { deleteAllMetadata, deleteMetadata, type ListMetadata, listMetadata, readMetadata } from "./metadata.store.ts";
export type { Metadata, MetadataEntry } from "./metadata.ts";
export { setMetadata } from "./set-metadata.ts";
