export { checkSubject, createPreview, type PreviewDeps } from "./create-preview.ts";
export { openPreview } from "./open-preview.ts";
export type { OpenedPreview, PreviewedMessage, PreviewedPage } from "./preview.ts";
