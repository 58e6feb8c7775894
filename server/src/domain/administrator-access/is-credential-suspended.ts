import { minutes } from "../../base/clock.ts";
import { type Preparation, preparationsBy } from "../../call/index.ts";
import type { IsCredentialSuspended } from "../user/index.ts";
import { hasGainedSince } from "./access.store.ts";
import { mayPrepareFor } from "./may-prepare-for.ts";

/**
 * Allowance for clock differences between two nodes and for the time that an appointment takes: what a session made
 * while its user was being appointed is weighed as well.
 */
const slack = minutes(1);

/**
 * Whether a password or a passkey signs its user in no longer, as a link that was made in the same session does not:
 * the user gained roles since, and a provider at which the session began, or the reader of the message that opened it,
 * could have made it and may not let the user in now. What an administrator gave the user directly stays: appointing
 * the user is a decision about that as well (docs/threat-model.md).
 */
export const isCredentialSuspended: IsCredentialSuspended = async (reader, instanceId, { userId, author, madeAt }) => {
  const preparedBy = preparationsBy(author).filter(isOfProviderOrMessage);
  if (preparedBy.length === 0) return false;
  const since = madeAt === null ? 0 : madeAt - slack;
  if (!(await hasGainedSince(reader, instanceId, { userId, since }))) return false;
  return !(await mayPrepareFor(reader, instanceId, { preparedBy }, userId));
};

const isOfProviderOrMessage = (preparation: Preparation): boolean =>
  "identityProviderId" in preparation || preparation.recipient !== undefined;
