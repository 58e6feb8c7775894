export { countSealedByFormerKeys, type ReencryptDeps, type Reencrypted, reencrypt } from "./reencrypt.ts";
export { type SealedColumn, sealedColumns } from "./sealed-columns.ts";
