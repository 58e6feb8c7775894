import type { Clock, Instant } from "../base/clock.ts";
import { Fault } from "../base/fault.ts";
import { type Call, type Caller, nothingEnded, type Presented } from "./call.ts";
import { holdAccess, withEnded } from "./hold-access.ts";

/**
 * Returns the caller of a call by what was presented, as the rows say now; throws where it is refused. `presentedAt`:
 * when it was presented first, where it is asked once more; a proof of a key is not spent again then.
 */
export type IdentifyPresented = (call: Call, presentedAt?: Instant) => Promise<Presented<Caller>>;

/**
 * Returns the call of a caller who presented something: a token, a session, a link. The only such call, whatever the
 * endpoint, so that none forgets `confirm`: work that begins later, or waits, asks by it whether the caller may still
 * do all that was allowed.
 */
export async function callOfPresented(
  clock: Clock,
  call: Call,
  identify: IdentifyPresented,
): Promise<Call & { readonly caller: Caller }> {
  const admittedAt = performance.now();
  const { isUnconfirmed: _, ...caller } = await identify(call);
  const held = holdAccess(caller.access);
  const confirm = async (ended = nothingEnded): Promise<void> => {
    const present = await identify({ ...call, now: clock() }, call.now);
    // The next attempt is told what is missing.
    if (!held.renew(withEnded(present.access, caller.access, ended))) {
      throw new Fault("resource_exhausted", "request.too_many");
    }
  };
  return { ...call, caller: { ...caller, access: held.access }, confirm, admittedAt };
}

/**
 * Returns a call whose caller is asked for no more. Only for what has to follow from a change that was made: it would
 * be left half done where the change ended what the caller acts by.
 */
export function unconfirmed({ confirm: _, ...call }: Call): Call {
  return call;
}
