import { payerOf, payFor } from "../../base/budget/payer.ts";
import { createDelivery, type Delivery, type DeliveryWitness } from "../../base/queue/delivery.ts";
import {
  claimLogoutNotice,
  type DueNotice,
  type NoticesToLeave,
  type OrganizationKey,
  type QueueDeps,
  settleLogoutNotice,
} from "../../domain/logout-notice/index.ts";
import { type SendDeps, type SendOutcome, sendLogoutNotice } from "./send-logout-notice.ts";

export interface DeliveryDeps extends SendDeps, QueueDeps, DeliveryWitness {}

// How many clients are told at a time: in all, of one instance, of one organization there, and how often one of them.
// Servers that never answer must leave lanes to those of others.
const lanes = 96;
const shares = [12, 6, 3] as const;
// Organizations in a round.
const longestRound = 100;

/**
 * Creates the sender that notifies clients of ended sessions. Any number of nodes may have one: an attempt is claimed
 * before it is made.
 */
export function createLogoutDelivery(deps: DeliveryDeps): Delivery {
  const take = createTakeInTurns((except) => claimLogoutNotice(deps, except));
  return createDelivery<DueNotice>(deps, {
    name: "logout notices",
    most: lanes,
    payersOf: (notice) => [notice.instanceId, formatOrganization(notice), notice.clientId],
    shares,
    take: ([instanceIds = [], organizations = [], clientIds = []]) =>
      take({ instanceIds, organizations: organizations.map(parseOrganization), clientIds }),
    warnings: { failed: "a client was not told of a logout", postponed: "a logout notice is tried again" },
    // Whichever request woke the delivery, the client that is told pays.
    perform: (notice, stopping, tell) =>
      payFor(payerOf(notice.instanceId, `client ${notice.clientId}`), async () => {
        const outcome: SendOutcome = await sendLogoutNotice(deps, notice, stopping).catch((error: unknown) => {
          deps.report(error, "logout notices");
          return { failure: "internal" };
        });
        if (stopping.aborted) return;
        const { instanceId, clientId, sessionId, attempt } = notice;
        const end = await settleLogoutNotice(deps, notice, outcome);
        const { failure, detail } = outcome;
        tell(end, { instanceId, clientId, sessionId, attempt, failure, detail });
      }),
  });
}

// Instances may have organizations with the same id.
const formatOrganization = ({ instanceId, organizationId }: OrganizationKey): string =>
  `${instanceId}/${organizationId}`;

function parseOrganization(formatted: string): OrganizationKey {
  const end = formatted.indexOf("/");
  return { instanceId: formatted.slice(0, end), organizationId: formatted.slice(end + 1) };
}

type Take = (except: NoticesToLeave) => Promise<DueNotice | undefined>;

/**
 * Takes notices in rounds, one of each organization that has any, so that those of one that has many come behind the
 * first one of each other.
 */
function createTakeInTurns(take: Take): Take {
  const served = new Map<string, OrganizationKey>();
  return async (except) => {
    if (served.size >= longestRound) served.clear();
    const ofOthers = await take({ ...except, organizations: [...except.organizations, ...served.values()] });
    const isRoundOver = ofOthers === undefined && served.size > 0;
    if (isRoundOver) served.clear();
    const taken = isRoundOver ? await take(except) : ofOthers;
    if (taken !== undefined) served.set(formatOrganization(taken), taken);
    return taken;
  };
}
