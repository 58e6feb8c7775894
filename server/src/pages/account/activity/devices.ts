import { networkOf } from "../../../base/budget/network-of.ts";
import { listSessions, type Session } from "../../../domain/session/index.ts";
import { type Device, describeDevice } from "../../../domain/sign-in-attempt/index.ts";
import type { PageDeps } from "../../deps.ts";
import type { Account } from "../parts/account.ts";

/** Finds the device of a sign-in by its instant and its network. */
export type FindDevice = (at: number, source: string) => Device | undefined;

// What is checked and the session that counts it are written one after the other, in one request.
const tolerance = 2000;

/**
 * Reads the devices of the user's sign-ins from the sessions that there still are: the newest hundred, each with the
 * last time of everything that was checked in it.
 */
export async function readDevices(deps: PageDeps, { call, user }: Account): Promise<FindDevice> {
  const { sessions } = await listSessions(deps, call, {
    filters: [{ by: "user", userId: user.userId }],
    // One page: the newest are shown.
    page: { offset: 0, limit: 100 },
    isDescending: true,
  });
  const checks = sessions.flatMap(({ session }) => checksOf(session));
  return (at, source) => {
    const distance = (check: Check): number => Math.abs(check.at - at);
    const [nearest] = checks
      .filter((check) => distance(check) <= tolerance && check.source === source)
      .sort((one, other) => distance(one) - distance(other));
    return nearest?.device;
  };
}

interface Check {
  readonly at: number;
  readonly source: string;
  readonly device: Device;
}

function checksOf({ userAgent, factors }: Session): Check[] {
  const device = describeDevice(userAgent);
  const isKnown = Object.values(device).some((part) => part !== undefined);
  if (!isKnown || userAgent.ip === undefined) return [];
  const source = networkOf(userAgent.ip);
  return Object.entries(factors).flatMap(([name, at]) =>
    name.endsWith("CheckedAt") && typeof at === "number" ? [{ at, source, device }] : [],
  );
}
