import { formatAuthorOfSession, joinPreparations, type Preparation, preparationsBy } from "../../call/index.ts";
import type { Tx } from "../../database/index.ts";
import { holdConsent, insertConsent, updateConsent, writeConsentAuthor } from "./consent.store.ts";
import { type Consent, type ConsentKey, consentAggregate } from "./consent.ts";

export interface GiveConsent extends ConsentKey {
  readonly organizationId: string;
  readonly scopes: readonly string[];
  /** What others know or control of the session in which the user agrees. */
  readonly preparedBy: readonly Preparation[];
}

/** Step: adds scopes to the user's consent for the application. Without any new scope no event is recorded. */
export async function giveConsent(tx: Tx, input: GiveConsent): Promise<void> {
  const { userId, clientId, organizationId } = input;
  for (;;) {
    const before = await holdConsent(tx, input);
    const scopes = [...new Set([...(before?.scopes ?? []), ...input.scopes])].toSorted();
    const author = authorOf(before, input);
    if (before !== undefined && scopes.length === before.scopes.length) {
      if (before.author !== "" && isRenewal(before, input))
        await writeConsentAuthor(tx, input, formatAuthorOfSession(input.preparedBy));
      return;
    }
    const consent = { scopes, author };
    const sequence =
      before === undefined ? await insertConsent(tx, input, consent) : await updateConsent(tx, input, consent);
    // A row that is absent cannot be held: another request created it meanwhile, and its scopes count as well.
    if (sequence === undefined) continue;
    tx.record({
      type: "consent.given",
      ...consentAggregate(input, organizationId),
      sequence,
      payload: { userId, clientId, scopes },
    });
    return;
  }
}

// What the user agreed to before and agrees to again depends on the new session alone.
const isWhole = (before: Consent, { scopes }: GiveConsent): boolean =>
  new Set(before.scopes).isSubsetOf(new Set(scopes));

// In a session of their own, or one that a message to their address opened. Any other must not make the consent worse.
const isRenewal = (before: Consent, input: GiveConsent): boolean =>
  isWhole(before, input) && input.preparedBy.every(({ recipient }) => recipient !== undefined);

function authorOf(before: Consent | undefined, input: GiveConsent): string | null {
  const { preparedBy } = input;
  if (before === undefined || isWhole(before, input)) return formatAuthorOfSession(preparedBy);
  return before.author === null
    ? null
    : formatAuthorOfSession(joinPreparations(preparationsBy(before.author), preparedBy));
}
