export { deleteAllMetadata, deleteMetadata, type ListMetadata, listMetadata, readMetadata } from "./metadata.store.ts";
export type { Metadata, MetadataEntry, MetadataOwner } from "./metadata.ts";
export { setMetadata } from "./set-metadata.ts";
