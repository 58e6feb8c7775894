/** The verdict on a hash of a password from another system. */
export type HashVerdict = "supported" | "unsupported" | "too_costly";

/** A name as it is shown, and the form in which it is compared. */
interface ParsedName {
  readonly shown: string;
  readonly key: string;
}

/**
 * What decides whether the server would take a value, asked before it is sent. Those that parse throw `UserRefused`.
 * The command has the rules of the server itself; the console, which runs elsewhere, knows as much as a browser can.
 */
export interface Rules {
  parseEmail(text: string): ParsedName;
  parseUsername(text: string): ParsedName;
  parsePhone(text: string): string;
  judgeHash(hash: string): HashVerdict;
}
