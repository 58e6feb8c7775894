export { countSealedByFormerKeys, type ReencryptDeps, reencrypt } from "./reencrypt.ts";
export { type KnownColumn, sealedColumns } from "./sealed-columns.ts";
