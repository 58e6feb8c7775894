import type { Random } from "../../base/random.ts";
import { hashSecret, type Secret } from "../../base/secret.ts";
import { type Call, generateToken, tokenKindOf } from "../../call/index.ts";
import type { Database } from "../../database/index.ts";
import { type SetupCallerDeps, setupCallerOf } from "./load-setup-caller.ts";
import { consumeLink, findLinkByCode } from "./setup-link.store.ts";
import { linkAggregate, type SetupLink, SetupLinkEnded } from "./setup-link.ts";

/**
 * Opens a link in the browser that presents its secret first, for an hour. The same browser, by the secret that it was
 * given then, may do so again until the link ends. Every other presentation is refused, whatever the reason.
 */
export async function openSetupLink(
  deps: SetupCallerDeps & { readonly database: Database; readonly random: Random },
  call: Call,
  { code, presented }: { readonly code: Secret; readonly presented: Secret | undefined },
): Promise<{ readonly link: SetupLink; readonly secret: Secret }> {
  if (tokenKindOf(code.reveal()) !== "setupLink") throw new SetupLinkEnded();
  const codeHash = hashSecret(code);
  const found = await findLinkByCode(deps.database.read, call.instanceId, codeHash);
  if (found === undefined) throw new SetupLinkEnded();
  const caller = await setupCallerOf(deps, call, found);
  const fresh = generateToken("setupSession", deps.random);
  const presentedHash = presented && hashSecret(presented);
  const opening = { codeHash, sessionHash: hashSecret(fresh), presentedHash };
  return deps.database.change({ ...call, caller }, async (tx) => {
    const link = await consumeLink(tx, opening);
    if (link === undefined) throw new SetupLinkEnded();
    const isFirst = link.sequence === 2;
    tx.record({
      type: "setup_link.opened",
      ...linkAggregate(link),
      sequence: link.sequence,
      payload: { isFirst },
    });
    return { link, secret: isFirst || presented === undefined ? fresh : presented };
  });
}
