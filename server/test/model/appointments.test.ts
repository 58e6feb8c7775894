import assert from "node:assert/strict";
import { test } from "node:test";
import { permissionsOf } from "../../src/domain/administrator-access/index.ts";
import { slugOf } from "../factor/support.ts";
import { chanceOf, isLong, testSeed } from "../support/data/random.ts";
import { addOwnedOrganization } from "../support/people/owners.ts";
import { addPerson, sessionOf } from "../support/people/people.ts";
import { eachTopology } from "../support/servers/nodes.ts";
import type { TestServer } from "../support/servers/server.ts";

const permissions = "service.internal_permission.v2.InternalPermissionService";
const roleNames = ["ORG_OWNER", "ORG_OWNER_VIEWER", "ORG_USER_MANAGER", "ORG_SETTINGS_MANAGER"] as const;
const steps = isLong() ? 600 : 150;

/** One position, as the rules say that it is. */
interface Position {
  readonly held: ReadonlySet<string>;
  readonly pending: ReadonlySet<string>;
  readonly isAccepted: boolean;
}

type Step =
  | { readonly do: "create" | "update"; readonly by: "near" | "instance"; readonly roles: readonly string[] }
  | { readonly do: "delete"; readonly by: "near" | "instance" }
  | { readonly do: "accept"; readonly roles: readonly string[] }
  | { readonly do: "decline" };

const none: ReadonlySet<string> = new Set();

/** Returns what a step leaves and answers, by the rules alone. */
function follow(position: Position | undefined, step: Step): { after: Position | undefined; answer: string } {
  const stays = (answer: string) => ({ after: position, answer });
  switch (step.do) {
    case "create": {
      if (position !== undefined) return stays("membership.exists");
      const roles = new Set(step.roles);
      const [held, pending] = step.by === "instance" ? [roles, none] : [none, roles];
      return { after: { held, pending, isAccepted: false }, answer: "done" };
    }
    case "update": {
      if (position === undefined) return stays("membership.not_found");
      const wanted = new Set(step.roles);
      const held = step.by === "instance" ? wanted : wanted.intersection(position.held);
      const isAccepted = position.isAccepted && held.size > 0;
      return { after: { held, pending: wanted.difference(held), isAccepted }, answer: "done" };
    }
    case "delete":
      return { after: undefined, answer: "done" };
    case "accept": {
      if (position === undefined || position.pending.size === 0) return stays("membership.not_offered");
      const isShown = position.pending.symmetricDifference(new Set(step.roles)).size === 0;
      if (!isShown) return stays("membership.offer_changed");
      const held = position.held.union(position.pending);
      return { after: { held, pending: none, isAccepted: true }, answer: "done" };
    }
    case "decline": {
      if (position === undefined || position.pending.size === 0) return stays("membership.not_offered");
      return { after: position.held.size === 0 ? undefined : { ...position, pending: none }, answer: "done" };
    }
    default:
      return step satisfies never;
  }
}

eachTopology((start) => {
  test("no sequence of offers, changes and answers gives a role that was not accepted (A15, A32)", async (t) => {
    const cluster = await start(t);
    const { first } = cluster;
    const near = await addOwnedOrganization(first, "Near");
    const home = await addOwnedOrganization(first, "Home");
    const person = await addPerson(first, { username: "quetzal", organizationId: home.organizationId });
    const { userId } = person;
    const { token } = await sessionOf(first, person);
    const resource = { organizationId: near.organizationId };
    const seed = testSeed();
    const chance = chanceOf(seed);
    const someRoles = (): string[] => {
      const chosen = roleNames.filter(() => chance.percent(40));
      return chosen.length === 0 ? [chance.one(roleNames)] : chosen;
    };

    const take = async (node: TestServer, step: Step): Promise<string> => {
      const by = { near: near.token, instance: undefined };
      const call = async (method: string, body: object, caller: string | undefined): Promise<string> =>
        slugOf(await node.connect(`${permissions}/${method}`, body, caller === undefined ? {} : { token: caller }));
      switch (step.do) {
        case "create":
          return call("CreateAdministrator", { userId, resource, roles: step.roles }, by[step.by]);
        case "update":
          return call("UpdateAdministrator", { userId, resource, roles: step.roles }, by[step.by]);
        case "delete":
          return call("DeleteAdministrator", { userId, resource }, by[step.by]);
        case "accept":
          return call("AcceptAppointment", { userId, resource, roles: step.roles }, token);
        case "decline":
          return call("DeclineAppointment", { userId, resource }, token);
        default:
          return step satisfies never;
      }
    };

    const look = async (node: TestServer) => {
      const filters = [{ inUserIdsFilter: { ids: [userId] } }];
      const list = await node.connect(`${permissions}/ListAdministrators`, { filters }, { token: near.token });
      const [found] = list.body.administrators ?? [];
      const own = await node.connect(
        "service.auth.v1.AuthService/ListMyServicePermissions",
        {},
        { token, headers: { "x-service-orgid": near.organizationId } },
      );
      return {
        state: found?.state?.replace("ADMINISTRATOR_STATE_", "") ?? "absent",
        held: (found?.roles ?? []).toSorted(),
        pending: (found?.pendingRoles ?? []).toSorted(),
        isNamed: (found?.user.displayName ?? "") !== "",
        may: (own.body.result ?? []).toSorted(),
      };
    };

    const expected = (position: Position | undefined) => ({
      state: position === undefined ? "absent" : position.held.size === 0 ? "PENDING" : "ACTIVE",
      held: [...(position?.held ?? [])].sort(),
      pending: [...(position?.pending ?? [])].sort(),
      isNamed: position?.isAccepted ?? false,
      may: [...new Set([...(position?.held ?? [])].flatMap(permissionsOf))].sort(),
    });

    let position: Position | undefined;
    const answers = new Map<string, number>();
    for (let count = 0; count < steps; count++) {
      const by = chance.percent(90) ? "near" : "instance";
      const step = chance.one<Step>([
        { do: "create", by, roles: someRoles() },
        { do: "update", by, roles: someRoles() },
        { do: "update", by, roles: someRoles() },
        { do: "delete", by },
        { do: "accept", roles: [...(position?.pending ?? roleNames)] },
        { do: "accept", roles: [...(position?.pending ?? roleNames)] },
        { do: "accept", roles: someRoles() },
        { do: "decline" },
      ]);
      if (step.do === "accept" && step.roles.length === 0) continue;
      const { after, answer } = follow(position, step);
      assert.equal(
        await take(chance.one(cluster.nodes), step),
        answer,
        `seed ${seed}, step ${count}: ${JSON.stringify(step)}`,
      );
      position = after;
      for (const node of cluster.nodes)
        assert.deepEqual(await look(node), expected(position), `seed ${seed}, step ${count}: ${JSON.stringify(step)}`);
      answers.set(`${step.do} ${answer}`, (answers.get(`${step.do} ${answer}`) ?? 0) + 1);
    }
    t.diagnostic([...answers].map(([what, often]) => `${what}: ${often}`).join(", "));
    assert.ok((answers.get("accept done") ?? 0) > 0 && (answers.get("update done") ?? 0) > 0, `seed ${seed}`);
  });
});
