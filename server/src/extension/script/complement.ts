import type { Call } from "../../call/index.ts";
import type { Database } from "../../database/index.ts";
import type { MetadataEntry } from "../../domain/metadata/index.ts";
import type { Script, TriggerPoint } from "../../domain/script/index.ts";
import type { User } from "../../domain/user/index.ts";
import { describeGrants, describeMetadata, describeUser, listGrantsFor } from "./describe.ts";
import { type Effects, InvalidEffects } from "./effects.ts";
import { putMetadata } from "./put-metadata.ts";
import { type RunScriptsDeps, runScripts } from "./run-scripts.ts";

export interface ComplementDeps extends RunScriptsDeps {
  readonly database: Database;
}

/** What scripts complement: a token, a response about a user, or a SAML response. */
interface Complemented {
  readonly user: User;
  /** The project of the application that is told, and its owner; undefined for service accounts, which have none. */
  readonly project: { readonly projectId: string; readonly organizationId: string } | undefined;
  readonly point: TriggerPoint;
  readonly kind: "token" | "saml";
  /** Whether what a script adds counts for the readers; one whose word does not count is not run. */
  readonly counts: (script: Script) => boolean;
  /** The claims that there are when the turn of a script comes. */
  readonly claims: () => Readonly<Record<string, unknown>>;
  /** Receives what a script adds. */
  readonly add: (script: Script, effects: Effects) => void;
}

/**
 * Runs the scripts of the user's organization that complement what is said about the user, and sets metadata of the
 * user as they asked.
 */
export async function complement(deps: ComplementDeps, call: Call, about: Complemented): Promise<void> {
  const { user, point, kind, counts, claims, add } = about;
  const { organizationId } = user;
  const metadata: MetadataEntry[] = [];
  await runScripts(deps, call, {
    organizationId,
    point,
    kind,
    counts,
    inputOf: () => ({ claims: { ...claims(), sub: user.userId }, user: describeUser(user) }),
    answer: (script, question, argument) => answer(deps, call, about, script, { question, argument }),
    take: (script, effects) => {
      metadata.push(...effects.metadata);
      add(script, effects);
    },
  });
  await putMetadata(deps, call, user, metadata);
}

async function answer(
  { database }: ComplementDeps,
  call: Call,
  { user, project }: Complemented,
  { trust }: Script,
  { question, argument }: { readonly question: string; readonly argument: unknown },
): Promise<object> {
  const { organizationId } = user;
  switch (question) {
    case "user_metadata":
      return describeMetadata(database, call, { type: "user", id: user.userId, organizationId });
    case "organization_metadata":
      return describeMetadata(database, call, { type: "organization", id: organizationId, organizationId });
    case "grants":
    case "grant_metadata": {
      const grants = await listGrantsFor(database, call, {
        user,
        organizationId,
        project,
        seesAll: trust.isByInstance,
      });
      if (question === "grants") return describeGrants(call, grants);
      const found = grants.find((grant) => grant.organizationId === argument);
      if (found === undefined) throw new InvalidEffects("there is no such grant");
      const { organizationId: id } = found;
      return describeMetadata(database, call, { type: "organization", id, organizationId: id });
    }
    default:
      throw new InvalidEffects("there is no such question");
  }
}
