import type { DataOrg, ImportDataSuccessOrg } from "@doorward/api/service/admin/v1/data_pb";
import type { DataOrg as FirstDataOrg } from "@doorward/api/service/v1/v1/data_pb";
import type { NewPerson } from "./new-person.ts";
import type { Run } from "./run.ts";

/** What was imported of an organization. */
export type Imported = Plain<ImportDataSuccessOrg>;

/** The fields of a message, with plain records in its lists. */
type Plain<Value> = Value extends string
  ? string
  : Value extends readonly (infer Item)[]
    ? Plain<Item>[]
    : { -readonly [Field in Exclude<keyof Value, "$typeName" | "$unknown">]: Plain<Value[Field]> };

/** An organization to be imported; lists of its first format that the present one has within the login policy. */
export type ImportedOrganization = Omit<DataOrg, "$typeName" | "$unknown"> &
  Partial<Pick<FirstDataOrg, "secondFactors" | "multiFactors" | "idps">>;

/** An entry on its way. */
export interface Entry {
  /** Word for its kind in errors. */
  readonly type: string;
  /** By what errors name it. */
  readonly id: string;
  /**
   * Names that the entry takes. It is performed beside others of its list that take other names; an entry without the
   * field is performed alone.
   */
  readonly takes?: readonly string[];
  /**
   * The person whom the entry creates, where it does nothing besides: these are created together. `perform` does it for
   * those that are left.
   */
  readonly person?: NewPerson | undefined;
  /** Makes the calls, and notes in `done` what was imported. */
  perform(run: Run, done: Imported): Promise<void>;
}

/** Returns entries of an organization. */
export type Entries = (organization: ImportedOrganization) => readonly Entry[];
