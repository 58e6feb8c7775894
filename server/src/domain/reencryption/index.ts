export { countSealedByFormerKeys, type ReencryptDeps, reencrypt } from "./reencrypt.ts";
export { sealedColumns } from "./sealed-columns.ts";
