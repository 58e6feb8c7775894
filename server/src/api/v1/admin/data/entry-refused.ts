import type { OtherRefusal } from "../../../contract/index.ts";

/** An entry was refused; the others go on. */
export class EntryRefused extends Error {
  readonly refusal: Omit<OtherRefusal, "error"> & { readonly error?: unknown };

  constructor(refusal: Omit<OtherRefusal, "error"> & { readonly error?: unknown }) {
    super(refusal.id);
    this.name = "EntryRefused";
    this.refusal = refusal;
  }
}
