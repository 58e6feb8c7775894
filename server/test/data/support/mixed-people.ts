import fc from "fast-check";

const bcrypt = "$2b$10$abcdefghijklmnopqrstuuE1nXTR0vu2Tqdk.HRVrXFlFDu8Bmqe2";
const otherHashes = [
  "$2y$05$abcdefghijklmnopqrstuuE1nXTR0vu2Tqdk.HRVrXFlFDu8Bmqe2",
  "$2b$15$abcdefghijklmnopqrstuuE1nXTR0vu2Tqdk.HRVrXFlFDu8Bmqe2",
  "$pbkdf2-sha256$29000$c2FsdHNhbHRzYWx0c2FsdA$vq1bZy0Xc4bq5d3nB0uXkE6xjQmQ2kTqO4m1fC6b0mI",
  "$unknown$hash",
];

/** What people of an import can collide with: ids and names that are given, or were. */
export interface Given {
  readonly ids: readonly string[];
  readonly names: readonly string[];
  /** A domain that an organization has proven. */
  readonly domain: string;
}

const numbered = (prefix: string, most: number, suffix = "") =>
  fc.nat({ max: most }).map((number) => `${prefix}${number}${suffix}`);

const rarely = <Value>(weight: number, usual: fc.Arbitrary<Value>, rare: fc.Arbitrary<Value>) =>
  fc.oneof({ weight, arbitrary: usual }, { weight: 1, arbitrary: rare });

/** Entries of people: most can be created, and the others are wrong or collide in every manner. */
export function mixedPeople({ ids, names, domain }: Given, count: number, seed: number): readonly object[] {
  const address = fc.oneof(
    numbered("mail", 400, "@mail.example"),
    numbered("Mail", 400, "@MAIL.example"),
    numbered("person", 40, `@${domain}`),
  );
  const email = fc.record({
    email: rarely(25, address, fc.constantFrom("nothing", "two@at@mail.example", "ｆull@mail.example", "")),
    isEmailVerified: fc.boolean(),
  });
  const userName = fc.oneof(
    { weight: 8, arbitrary: numbered("name", 400) },
    { weight: 1, arbitrary: fc.oneof(numbered("NAME", 400), numbered("ｎame", 400), numbered("straße", 20)) },
    { weight: 1, arbitrary: fc.constantFrom("", "@start", "two words", "аdmin-latin", "strasse1", ...names) },
    { weight: 2, arbitrary: address },
  );
  const entry = fc.record({
    userId: rarely(12, numbered("id", 600), fc.constantFrom("login", "a/b", "x".repeat(201), ...ids)),
    userName: rarely(3, userName, fc.constant("=")),
    firstName: rarely(25, fc.constantFrom("Ada", " Zoë ", "Σίσυφος"), fc.constantFrom("", "\u200b")),
    nickName: fc.constantFrom("", "", "Nick", " "),
    displayName: fc.constantFrom("", "", "Shown"),
    preferredLanguage: rarely(30, fc.constantFrom("", "de-ch", "und", "en"), fc.constant("no_language")),
    gender: fc.constantFrom("GENDER_UNSPECIFIED", "GENDER_FEMALE", "GENDER_DIVERSE"),
    email,
    phone: rarely(
      20,
      fc.constantFrom(undefined, undefined, "", "+41 79 123 45 67", "0041791234568"),
      fc.constant("12"),
    ),
    hash: rarely(12, fc.constantFrom(undefined, bcrypt, otherHashes[0]), fc.constantFrom(...otherHashes)),
    passwordChangeRequired: fc.boolean(),
    isOdd: fc.nat({ max: 60 }),
  });
  return fc.sample(entry, { numRuns: count, seed }).map(toEntry);
}

// biome-ignore lint/suspicious/noExplicitAny: the sample of the record above.
function toEntry(sample: any): object {
  const { userId, userName, firstName, nickName, displayName, preferredLanguage, gender, email, isOdd } = sample;
  if (isOdd === 0) return { userId };
  return {
    userId,
    user: {
      userName: userName === "=" ? email.email : userName,
      profile: { firstName, lastName: "Lovelace", nickName, displayName, preferredLanguage, gender },
      email,
      ...(sample.phone !== undefined && { phone: { phone: sample.phone, isPhoneVerified: true } }),
      ...(sample.hash !== undefined && { hashedPassword: { value: sample.hash } }),
      passwordChangeRequired: sample.passwordChangeRequired,
      ...(isOdd === 1 && { recoveryCodes: [{ raw: "12345678" }] }),
      ...(isOdd === 2 && { idps: [{ configId: "absent", externalUserId: "1" }] }),
    },
  };
}
