import type { Duration } from "@bufbuild/protobuf/wkt";
import { fromDuration, toDuration } from "../contract/index.ts";
import type { Codec, FieldKind } from "./fields.ts";

const same = <Value, Wire, Given = Wire>(
  codec: Codec<Value, Wire, Given>,
): FieldKind<Value, Wire, Wire, Given, Given> => ({
  v2: codec,
  v1: codec,
});

/** On or off. */
export const flag = same<boolean, boolean>({ write: (value) => value, read: (given) => given });

export const text = same<string, string>({ write: (value) => value, read: (given) => given });

export const texts = same<readonly string[], string[]>({ write: (value) => [...value], read: (given) => given });

/** A number of 64 bits in messages; some requests have fewer. */
export const count = same<number, bigint, number | bigint>({ write: BigInt, read: Number });

/** A number of 32 bits in messages. */
export const smallCount = same<number, number>({ write: (value) => value, read: (given) => given });

/** Whole seconds, a duration in messages. */
export const seconds = same<number, ReturnType<typeof toDuration>, Pick<Duration, "seconds">>({
  write: toDuration,
  read: fromDuration,
});

/** The same kind, left out of messages where it is zero: zero stands for the default. */
export const unlessZero = <Wire, Given>({ v2: { write, read } }: FieldKind<number, Wire, Wire, Given, Given>) =>
  same<number, Wire | undefined, Given>({ write: (value) => (value === 0 ? undefined : write(value)), read });

/** The same kind, left out of the document where the list is empty. */
export const unlessEmpty = same<readonly string[], string[]>({
  write: (value) => [...value],
  read: (given) => (given.length === 0 ? undefined : given),
});

type WireValues<Name extends string> = Readonly<Record<Name, number>>;

/** One of several names, an enumeration in messages. "Unspecified" and unknown values leave the field as it was. */
export const choice = <Name extends string, Wire2 extends WireValues<Name>, Wire1 extends WireValues<Name>>(
  v2: Wire2,
  v1: Wire1,
): FieldKind<Name, Wire2[Name], Wire1[Name]> => ({ v2: one<Name, Wire2>(v2), v1: one<Name, Wire1>(v1) });

/** Several of several names. Values without a name are ignored. */
export const choices = <Name extends string, Wire2 extends WireValues<Name>, Wire1 extends WireValues<Name>>(
  v2: Wire2,
  v1: Wire1,
): FieldKind<readonly Name[], Wire2[Name][], Wire1[Name][], readonly number[], readonly number[]> => ({
  v2: several<Name, Wire2>(v2),
  v1: several<Name, Wire1>(v1),
});

/** Returns the name of a value of an enumeration; undefined when it has none. */
export const nameOf = <Name extends string>(values: Readonly<Record<Name, number>>, wanted: number): Name | undefined =>
  (Object.keys(values) as Name[]).find((name) => values[name] === wanted);

const one = <Name extends string, Wire extends WireValues<Name>>(values: Wire): Codec<Name, Wire[Name], number> => ({
  write: (name) => values[name],
  read: (given) => nameOf<Name>(values, given),
});

const several = <Name extends string, Wire extends WireValues<Name>>(
  values: Wire,
): Codec<readonly Name[], Wire[Name][], readonly number[]> => ({
  write: (names) => names.map((name) => values[name]),
  // Each once: a list of choices is never longer than the enumeration.
  read: (given) => [...new Set(given.flatMap((value) => nameOf<Name>(values, value) ?? []))],
});
