import type { MessageShape } from "@bufbuild/protobuf";
import type { Organization } from "@doorward/api/service/object/v2/object_pb";
import type { IDPLink } from "@doorward/api/service/user/v2/idp_link_pb";
import type { AddHumanUserRequest, CreateUserRequestSchema } from "@doorward/api/service/user/v2/user_operations_pb";
import type { SetHumanProfile } from "@doorward/api/service/user/v2/user_pb";
import { UserService } from "@doorward/api/service/user/v2/user_service_pb";
import { Fault } from "../../../base/fault.ts";
import type { Call } from "../../../call/index.ts";
import type { BeginDeps, CodeDeps, OpeningDeps } from "../../../domain/contact/index.ts";
import type { OriginOf } from "../../../domain/instance/index.ts";
import { findOwnerOfDomain } from "../../../domain/organization/index.ts";
import type { SetPasswordDeps } from "../../../domain/password/index.ts";
import { type ChangeStateDeps, changeUserState, type FactorSteps, type UserMove } from "../../../domain/user/index.ts";
import {
  type CreatedUser,
  type CreateHumanDeps,
  createHuman,
  createHumans,
  createMachine,
  type NewAccount,
  type NewHuman,
} from "../../../domain/user-management/index.ts";
import { type Binding, bind, toDetails, toTimestamp, withFields } from "../../contract/index.ts";
import { toCodes, toFormat, toGender, toNewPassword, toVerification } from "./user-message.ts";

export type UserDeps = SetPasswordDeps &
  BeginDeps &
  CodeDeps &
  OpeningDeps &
  ChangeStateDeps &
  FactorSteps & {
    /** Pictures have absolute addresses. */
    readonly originOf: OriginOf;
  };
type MakingDeps = UserDeps & CreateHumanDeps;
type CreateRequest = MessageShape<typeof CreateUserRequestSchema>;

const fieldsOfCreate = {
  email: "human.email.email",
  phone: "human.phone.phone",
  profile: "human.profile",
  password: "human.password.password",
  totpSecret: "human.totpSecret",
  name: "machine.name",
  idpLink: "human.idpLinks",
};
const fieldsOfAdd = { email: "email.email", phone: "phone.phone", password: "password.password", idpLink: "idpLinks" };

/** UserService: creating users and moving them between states. */
export const userMethods = (deps: MakingDeps): Binding =>
  bind(UserService, {
    createUser: async (call, request) => {
      const { userId, details, ...codes } = await withFields(fieldsOfCreate, () => create(deps, call, request));
      return { id: userId, creationDate: toTimestamp(details.createdAt), ...toCodes(codes) };
    },
    addHumanUser: async (call, request) => {
      const person = readHuman(deps, request);
      const organizationId = await findOrganizationId(deps, call, request.organization);
      const added = await withFields(fieldsOfAdd, () => createHuman(deps, call, { ...person, organizationId }));
      return { userId: added.userId, details: toDetails(added.details), ...toCodes(added) };
    },
    deactivateUser: (call, { userId }) => move(deps, call, { userId, move: "deactivate" }),
    reactivateUser: (call, { userId }) => move(deps, call, { userId, move: "reactivate" }),
    lockUser: (call, { userId }) => move(deps, call, { userId, move: "lock" }),
    unlockUser: (call, { userId }) => move(deps, call, { userId, move: "unlock" }),
  });

/** Reads a human user as `AddHumanUserRequest` describes one; requests of other services contain it. */
export const readHuman = (
  deps: FactorSteps,
  request: AddHumanUserRequest,
): Omit<NewHuman, "organizationId"> & { readonly accounts: readonly NewAccount[] } => ({
  ...readPerson(request),
  accounts: request.idpLinks.map(toAccount),
  complete: toFactors(deps, request.totpSecret),
});

function readPerson(request: AddHumanUserRequest): Omit<NewHuman, "organizationId"> {
  const { userId, username, profile, email, phone, metadata } = request;
  return {
    userId,
    username,
    profile: toProfile(profile),
    email: toEmail(email),
    phone: toPhone(phone),
    password: toNewPassword(request.passwordType),
    metadata,
  };
}

async function move(deps: UserDeps, call: Call, input: { userId: string; move: UserMove }) {
  return { details: toDetails(await changeUserState(deps, call, input)) };
}

function create(deps: MakingDeps, call: Call, request: CreateRequest): Promise<CreatedUser> {
  const { organizationId, userId, username, metadata, userType } = request;
  switch (userType.case) {
    case "human":
      return createHuman(deps, call, readNewHuman(deps, request, userType.value));
    case "machine": {
      const { name, description, accessTokenType } = userType.value;
      return createMachine(deps, call, {
        organizationId,
        userId,
        username,
        name,
        description,
        accessTokenFormat: toFormat(accessTokenType),
        metadata,
      });
    }
    case undefined:
      throw new Fault("invalid_argument", "user.type_missing", { field: "userType" });
    default:
      return userType satisfies never;
  }
}

function readNewHuman(
  deps: FactorSteps,
  { organizationId, userId, username, metadata }: CreateRequest,
  human: Extract<CreateRequest["userType"], { case: "human" }>["value"],
): NewHuman & { readonly accounts: readonly NewAccount[] } {
  const { profile, email, phone, passwordType, idpLinks, totpSecret, metadata: former } = human;
  if (metadata.length > 0 && former.length > 0) {
    throw new Fault("invalid_argument", "user.metadata_twice", { field: "human.metadata" });
  }
  return {
    organizationId,
    userId,
    username,
    profile: toProfile(profile),
    email: toEmail(email),
    phone: toPhone(phone),
    password: toNewPassword(passwordType),
    metadata: [...metadata, ...former],
    accounts: idpLinks.map(toAccount),
    complete: toFactors(deps, totpSecret),
  };
}

/**
 * Creates the people of requests of `CreateUser` for one organization, as far as that can be done at once
 * (`createHumans`), and returns for each whether it was created. The method answers the others.
 */
export function createPeople(
  deps: Pick<MakingDeps, "database" | "passwordHasher"> & FactorSteps,
  call: Call,
  organizationId: string,
  requests: readonly CreateRequest[],
): Promise<readonly boolean[]> {
  const people = requests.map((request) => {
    if (request.userType.case !== "human") throw new Error("only people are created at once");
    return readNewHuman(deps, request, request.userType.value);
  });
  return createHumans(deps, call, organizationId, people);
}

const toFactors = (deps: FactorSteps, totpSecret: string | undefined): NewHuman["complete"] =>
  totpSecret === undefined ? undefined : (tx, user) => deps.importFactors(tx, user, { totpSecret });

const toAccount = ({ idpId, userId, userName }: IDPLink): NewAccount => ({
  identityProviderId: idpId,
  externalUserId: userId,
  externalUsername: userName,
});

async function findOrganizationId(deps: UserDeps, call: Call, organization: Organization | undefined): Promise<string> {
  const { org } = organization ?? { org: { case: undefined } };
  if (org.case === "orgId") return org.value;
  if (org.case === undefined) return call.organizationId ?? call.caller?.organizationId ?? "";
  const owner = await findOwnerOfDomain(deps.database.read, call.instanceId, org.value);
  if (owner === undefined) throw new Fault("not_found", "organization.not_found", { field: "organization.orgDomain" });
  return owner;
}

function toProfile(profile: SetHumanProfile | undefined) {
  const { givenName = "", familyName = "", nickName, displayName, preferredLanguage, gender } = profile ?? {};
  return { givenName, familyName, nickName, displayName, preferredLanguage, gender: toGender(gender) };
}

type VerificationMessage = Parameters<typeof toVerification>[0];

const toEmail = (given: { email: string; verification: VerificationMessage } | undefined) => ({
  address: given?.email ?? "",
  verification: toVerification(given?.verification ?? { case: undefined }),
});

/** Reads the phone of a new user; an empty number means none. */
const toPhone = (given: { phone: string; verification: VerificationMessage } | undefined) =>
  given === undefined || given.phone === ""
    ? undefined
    : { number: given.phone, verification: toVerification(given.verification) };
