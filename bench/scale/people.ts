/**
 * One of the users that a bench is filled with, derived from a number alone, so that a search can ask for a known user.
 */
export interface Person {
  readonly userId: string;
  readonly organization: number;
  readonly username: string;
  readonly givenName: string;
  readonly familyName: string;
  readonly nickname: string;
  readonly phone: string;
  readonly email: string;
}

export const givenNames = [
  "Ada",
  "Bela",
  "Chidi",
  "Dilan",
  "Emre",
  "Fatou",
  "Grace",
  "Hana",
  "Ines",
  "Jörg",
  "Kofi",
  "Łucja",
];
export const familyNames = [
  "Abe",
  "Berg",
  "Costa",
  "Diaz",
  "Ek",
  "Ferrari",
  "Gül",
  "Haddad",
  "Ivanova",
  "Jensen",
  "Kaya",
  "Lim",
];

/** Returns the number of organizations: one for every hundred users. */
export const peoplePerOrganization = 100;

export function personOf(number: number): Person {
  const username = `person${number}`;
  return {
    userId: idOf("user", number),
    organization: Math.floor(number / peoplePerOrganization),
    username,
    // Twelve users have the same last name, however many users there are, and 120 the same first name: what a search
    // finds is not to grow with them. Each last name goes with each first name.
    givenName: `${givenNames[number % givenNames.length]}${Math.floor(number / 1440)}`,
    familyName: `${familyNames[Math.floor(number / givenNames.length) % familyNames.length]}${Math.floor(number / 120)}`,
    nickname: `nick${number}`,
    phone: `+4915${10_000_000 + number}`,
    email: `${username}@example.com`,
  };
}

const kinds = { user: 1n, organization: 2n, authorization: 3n } as const;

/** Ids as the product makes them, 18 digits, increasing with the number. */
export const idOf = (kind: keyof typeof kinds, number: number): string =>
  `${kinds[kind] * 100_000_000_000_000_000n + BigInt(number)}`;
