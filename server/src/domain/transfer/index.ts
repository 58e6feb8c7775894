export { type OnProgress, totalOf } from "./content.ts";
export { explainOtherMigration } from "./file-header.ts";
export { type FileSecret, shortestPassphrase } from "./file-key.ts";
export { checkExport, loadExport, type ReadExport } from "./load-export.ts";
export { openExport } from "./read-export.ts";
export { TransferError } from "./transfer-error.ts";
export { type Export, writeExport } from "./write-export.ts";
