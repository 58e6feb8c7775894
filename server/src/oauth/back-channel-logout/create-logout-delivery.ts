import { payerOf, payFor } from "../../base/budget/payer.ts";
import { createDelivery, type Delivery, type DeliveryWitness } from "../../base/queue/delivery.ts";
import {
  claimLogoutNotice,
  createNoticeTurns,
  type DueNotice,
  type NoticePayer,
  type QueueDeps,
  settleLogoutNotice,
} from "../../domain/logout-notice/index.ts";
import { type SendDeps, type SendOutcome, sendLogoutNotice } from "./send-logout-notice.ts";

export interface DeliveryDeps extends SendDeps, QueueDeps, DeliveryWitness {}

// How many clients are told at a time: in all, of one instance, of one organization there, and how often one of them.
// Servers that never answer must leave lanes to those of others.
const lanes = 96;
const shares = [12, 6, 3] as const;
// Clients that strangers registered in an organization take no lanes of its own applications.
const sharesOfStrangers = [12, 3, 1] as const;

/**
 * Creates the sender that notifies clients of ended sessions. Any number of nodes may have one: an attempt is claimed
 * before it is made.
 */
export function createLogoutDelivery(deps: DeliveryDeps): Delivery {
  const turns = createNoticeTurns();
  return createDelivery<DueNotice>(deps, {
    name: "logout notices",
    most: lanes,
    payersOf: (notice) => [notice.instanceId, formatPayer(notice), notice.clientId],
    shares: ({ isOfStranger }) => (isOfStranger ? sharesOfStrangers : shares),
    take: ([instanceIds = [], payers = [], clientIds = []]) =>
      claimLogoutNotice(deps, { instanceIds, payers: payers.map(parsePayer), clientIds }, turns),
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
const formatPayer = ({ instanceId, organizationId, isOfStranger }: NoticePayer): string =>
  `${instanceId}/${isOfStranger ? "strangers" : "own"}/${organizationId}`;

function parsePayer(formatted: string): NoticePayer {
  const [instanceId = "", kind, ...rest] = formatted.split("/");
  return { instanceId, organizationId: rest.join("/"), isOfStranger: kind === "strangers" };
}
