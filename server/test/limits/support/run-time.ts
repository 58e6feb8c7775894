import type { TestServer } from "../../support/servers/server.ts";

/** Whose run time it is: that of the scripts of an organization, or of targets. */
export type Whose = { readonly organizationId: string } | undefined;

export const targets: Whose = undefined;

type Metered = Pick<TestServer, "app" | "clock">;

/** The run time of an instance, as its meter counts it. */
export interface RunTime {
  /** Whether more may be used now. */
  may(whose: Whose, on?: Metered): Promise<boolean>;
  spend(whose: Whose, seconds: number): Promise<void>;
  /** Spends by the second while more may be used, but not beyond `most`; returns how many seconds there were. */
  useUp(whose: Whose, most?: number): Promise<number>;
}

/** Returns the run time of an instance of a server. */
export function runTimeOf(server: Metered, instanceId: string): RunTime {
  const may: RunTime["may"] = async (whose, { app, clock } = server) => {
    const call = { instanceId, now: clock.now };
    if (whose !== undefined) return app.domain.quotaMeter.hasRunTime(call, whose.organizationId);
    try {
      await app.domain.quotaMeter.checkRunTime(call);
      return true;
    } catch {
      return false;
    }
  };
  const spend: RunTime["spend"] = async (whose, seconds) => {
    const call = { instanceId, now: server.clock.now };
    await server.app.domain.quotaMeter.addRunTime(call, seconds * 1000, whose?.organizationId);
  };
  const useUp: RunTime["useUp"] = async (whose, most = Number.POSITIVE_INFINITY) => {
    let seconds = 0;
    for (; seconds < most && (await may(whose)); seconds++) await spend(whose, 1);
    return seconds;
  };
  return { may, spend, useUp };
}
