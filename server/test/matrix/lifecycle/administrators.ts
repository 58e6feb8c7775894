import { randomBytes } from "node:crypto";
import type { Estate } from "../support/estate.ts";
import type { Holdings, Table } from "./table.ts";

const projects = "project.v2.ProjectService";
const authorizations = "authorization.v2.AuthorizationService";
const permissions = "internal_permission.v2.InternalPermissionService";

/** The levels at which a user administrates: with one position, and with two of them. */
const levels = ["instance", "organization", "project", "grant", "two"] as const;
type Level = (typeof levels)[number];

/** `r`: may read, and change nothing. */
export const administrators: Table = {
  name: "who administrates no more, or less, may do no more with the next request",
  held: levels,
  once: [],
  grid: {
    //                                               i o p g 2
    nothing: /*                                   */ ". . . . .",
    "the one of the instance is removed": /*      */ "x . . . .",
    "the one of the instance may only look": /*   */ "r . . . .",
    "the one of the organization is removed": /*  */ ". x . . .",
    "the one of the organization may only look": /**/ ". r . . .",
    "the one of the project is removed": /*       */ ". . x . .",
    "the one of the project may only look": /*    */ ". . r . .",
    "the one of the grant is removed": /*         */ ". . . x .",
    "the one of the grant may only look": /*      */ ". . . r .",
    "one of two positions is removed": /*         */ ". . . . .",
    "both positions are removed": /*              */ ". . . . x",
    "one of two positions may only look": /*      */ ". . . . .",
    "both positions may only look": /*            */ ". . . . r",
    "the grant is removed and made again": /*     */ ". . . x .",
    "the organization of the administrators is deactivated": /**/ "x x x x x",
  },
  make: makeAdministrators,
};

async function makeAdministrators(estate: Estate): Promise<Holdings> {
  const { must } = estate;
  const [owner, partner, staff] = [
    await estate.somebody("face"),
    await estate.somebody("face"),
    await estate.somebody("face"),
  ];
  const { organizationId } = owner;
  const { projectId } = await must(`${projects}/CreateProject`, { organizationId, name: "Shop" });
  await must(`${projects}/AddProjectRole`, { projectId, roleKey: "reader", displayName: "Reader" });
  const lent = { projectId, grantedOrganizationId: partner.organizationId };
  const lend = () => must(`${projects}/CreateProjectGrant`, { ...lent, roleKeys: ["reader"] });
  await lend();
  const assign = async ({ userId, organizationId: of }: typeof owner): Promise<string> => {
    const assignment = { projectId, organizationId: of, userId, roleKeys: ["reader"] };
    return (await must(`${authorizations}/CreateAuthorization`, assignment)).id;
  };
  const own = await assign(owner);
  let lentTo = await assign(partner);
  const positions = {
    instance: { resource: { instance: true }, role: "IAM_OWNER" },
    organization: { resource: { organizationId }, role: "ORG_OWNER" },
    project: { resource: { projectId }, role: "PROJECT_OWNER" },
    grant: {
      resource: { projectGrant: { projectId, organizationId: partner.organizationId } },
      role: "PROJECT_GRANT_OWNER",
    },
  } as const;
  const held: Readonly<Record<Level, readonly (keyof typeof positions)[]>> = {
    instance: ["instance"],
    organization: ["organization"],
    project: ["project"],
    grant: ["grant"],
    two: ["organization", "project"],
  };
  const robots = new Map<Level, { readonly userId: string; readonly token: string }>();
  for (const level of levels) {
    const robot = await makeRobot(estate, staff.organizationId);
    robots.set(level, robot);
    for (const position of held[level]) {
      const { resource, role } = positions[position];
      await must(`${permissions}/CreateAdministrator`, { userId: robot.userId, resource, roles: [role] });
    }
  }
  const at = (level: Level, position: keyof typeof positions) => ({
    userId: robots.get(level)?.userId ?? "",
    resource: positions[position].resource,
  });
  const remove = (level: Level, position: keyof typeof positions) =>
    must(`${permissions}/DeleteAdministrator`, at(level, position));
  const reduce = (level: Level, position: keyof typeof positions) => {
    const roles = [`${positions[position].role}_VIEWER`];
    return must(`${permissions}/UpdateAdministrator`, { ...at(level, position), roles });
  };
  const single = (["instance", "organization", "project", "grant"] as const).flatMap((level) => [
    [`the one of the ${level} is removed`, () => remove(level, level)] as const,
    [`the one of the ${level} may only look`, () => reduce(level, level)] as const,
  ]);
  return {
    good: Object.fromEntries(
      levels.map((level) => [
        level,
        () => judge(estate, robots.get(level)?.token ?? "", level === "grant" ? lentTo : own),
      ]),
    ),
    endings: {
      nothing: async () => {},
      ...Object.fromEntries(single),
      "one of two positions is removed": () => remove("two", "organization"),
      "both positions are removed": async () => [await remove("two", "organization"), await remove("two", "project")],
      "one of two positions may only look": () => reduce("two", "project"),
      "both positions may only look": async () => [await reduce("two", "organization"), await reduce("two", "project")],
      "the grant is removed and made again": async () => {
        await must(`${projects}/DeleteProjectGrant`, lent);
        await lend();
        lentTo = await assign(partner);
      },
      "the organization of the administrators is deactivated": () =>
        must("org.v2.OrganizationService/DeactivateOrganization", { organizationId: staff.organizationId }),
    },
  };
}

/** A service account and its personal access token. */
async function makeRobot({ must }: Estate, organizationId: string) {
  const username = `robot-${randomBytes(4).toString("hex")}`;
  const { id: userId } = await must("user.v2.UserService/CreateUser", {
    organizationId,
    username,
    machine: { name: "Robot" },
  });
  const { token } = await must(`/v2/users/${userId}/pats`, { expirationDate: "2100-01-01T00:00:00Z" });
  return { userId: userId as string, token: token as string };
}

/** Whether a user may see and change a role assignment. */
async function judge({ ask }: Estate, token: string, id: string): Promise<boolean | string> {
  const filters = [{ authorizationIds: { ids: [id] } }];
  const seen = await ask("here", `${authorizations}/ListAuthorizations`, { token, body: { filters } });
  const maySee = seen.status === 200 && seen.body.authorizations?.length === 1;
  const body = { id, roleKeys: ["reader"] };
  const mayChange = (await ask("here", `${authorizations}/UpdateAuthorization`, { token, body })).status === 200;
  if (maySee === mayChange) return maySee;
  return maySee ? "r" : "w";
}
