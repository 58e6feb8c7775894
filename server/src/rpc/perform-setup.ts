import type { SetupStep } from "../api/index.ts";
import type { Secret } from "../base/secret.ts";
import type { Call } from "../call/index.ts";
import {
  companionOfStep,
  hasProvider,
  loadSetupSession,
  SetupLinkEnded,
  type SetupSession,
  takeSetupStep,
} from "../domain/setup-link/index.ts";
import type { CallOtherDeps } from "./call-other.ts";
import { type Refusal, toRefusal } from "./refusal.ts";
import type { Registry } from "./registry.ts";

/** What a browser with an open link asks for. */
interface SetupCall {
  /** Without a caller. */
  readonly call: Call;
  /** The secret of the browser. */
  readonly secret: Secret | undefined;
  /** Decides by the link, as it is now, what to do; undefined when there is nothing to do. */
  readonly choose: (session: SetupSession) => SetupStep | undefined;
}

/**
 * Makes one change for the holder of a link, by the methods of the contract that do it for administrators. They pass
 * the chain that every request passes: quotas, permission, rules of fields, targets. Throws `SetupLinkEnded` when the
 * link, its session or the rights behind it have ended.
 */
export type PerformSetup = (asked: SetupCall) => Promise<Refusal | undefined>;

/** Creates what makes the changes of setup links. */
export const createPerformSetup =
  (
    deps: () => Omit<CallOtherDeps, "registry"> & Parameters<typeof loadSetupSession>[0],
    registry: Registry,
  ): PerformSetup =>
  async ({ call, secret, choose }) => {
    // Loaded with the first link, as all messages are.
    const { create } = await import("@bufbuild/protobuf");
    const { admit, perform } = await import("./invoke.ts");
    const { partOfStep, performSetupStep } = await import("../api/index.ts");
    const chain = deps();
    try {
      const session = await loadSetupSession(chain, call, secret);
      const { link } = session;
      const step = choose(session);
      if (step === undefined) return undefined;
      if (!link.parts.includes(partOfStep(step))) throw new SetupLinkEnded();
      const addsProvider = step.kind === "add_oidc" || step.kind === "add_saml";
      // Another tab has added one: `companionOfStep` would refuse this one, after its key was made.
      if (addsProvider && (await hasProvider(chain.database.read, call.instanceId, link))) return undefined;
      takeSetupStep(chain, call, link);
      const incoming = {
        call: { ...call, companion: companionOfStep(session, { addsProvider }) },
        credentials: { ...noCredentials, organizationId: link.organizationId },
        // Asked again after slow targets.
        identify: async (at: Call) => (await loadSetupSession(chain, at, secret)).caller,
      };
      await performSetupStep(
        async (method, request) => {
          const name = `${method.parent.typeName}/${method.name}`;
          const called = registry.get(name);
          if (called === undefined) throw new Error(`${name} is not in the contract`);
          const admitted = { call: await admit(chain, called, incoming), incoming };
          return (await perform(chain, called, admitted, ({ input }) => create(input, request))) as never;
        },
        link.organizationId,
        step,
      );
      return undefined;
    } catch (error) {
      if (error instanceof SetupLinkEnded) throw error;
      return toRefusal(chain, error, call);
    }
  };

const noCredentials = { authorization: undefined, dpop: undefined, method: "", path: "" } as const;
