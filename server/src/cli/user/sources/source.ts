/** What a user loses by the import, or gets instead of what the file has. Never contains a secret. */
export interface Loss {
  readonly field: string;
  readonly what: "lost" | "changed";
  readonly why: string;
}

/** An account at an identity provider. */
export interface SourceLink {
  /** What the source calls the provider. */
  readonly provider: string;
  readonly userId: string;
  readonly username: string | undefined;
}

/** A user as another system has them, in the terms of this one. Absent and empty mean the same. */
export interface SourceUser {
  readonly id: string;
  readonly username: string;
  readonly email: string;
  readonly isEmailVerified: boolean;
  readonly phone: string;
  readonly isPhoneVerified: boolean;
  readonly givenName: string;
  readonly familyName: string;
  readonly displayName: string;
  readonly nickName: string;
  readonly language: string;
  /** In PHC or modular crypt form. */
  readonly passwordHash: string;
  readonly isPasswordChangeRequired: boolean;
  /** Secret of an authenticator app with six digits, 30 seconds and SHA-1: base32. */
  readonly totpSecret: string;
  readonly links: readonly SourceLink[];
  readonly roles: readonly string[];
  readonly metadata: Readonly<Record<string, string>>;
  readonly isDisabled: boolean;
  /** Why the entry is not a user to be imported. */
  readonly skipReason: string;
  readonly losses: readonly Loss[];
}

const emptyUser: SourceUser = {
  id: "",
  username: "",
  email: "",
  isEmailVerified: false,
  phone: "",
  isPhoneVerified: false,
  givenName: "",
  familyName: "",
  displayName: "",
  nickName: "",
  language: "",
  passwordHash: "",
  isPasswordChangeRequired: false,
  totpSecret: "",
  links: [],
  roles: [],
  metadata: {},
  isDisabled: false,
  skipReason: "",
  losses: [],
};

/** Creates a user from what a source knows. */
export const toSourceUser = (known: Partial<SourceUser>): SourceUser => ({ ...emptyUser, ...known });

/** How a kind of file is read. */
export type Form = { readonly kind: "json"; readonly member?: string } | { readonly kind: "csv" };

/** A kind of file with users. */
export interface Source {
  /** Returns the form of a file, by its first character that is not white space. */
  formOf(first: string): Form;
  /** Reads an entry: a record of CSV with texts, or an object of JSON. Throws `UserRefused`. */
  toUser(record: Readonly<Record<string, unknown>>): SourceUser | Promise<SourceUser>;
}

/** Thrown when a user cannot be created. */
export class UserRefused extends Error {
  override readonly name = "UserRefused";
  readonly field: string;
  /** Whether the server refused it to the caller, and not because of the user. */
  readonly isForbidden: boolean;

  constructor(field: string, why: string, isForbidden = false) {
    super(why);
    this.field = field;
    this.isForbidden = isForbidden;
  }
}
