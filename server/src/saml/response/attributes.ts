import { foldCase } from "../../base/names/fold-case.ts";
import { type XmlElement, xml } from "../../base/saml/index.ts";
import type { Call } from "../../call/index.ts";
import { readMetadata } from "../../domain/metadata/index.ts";
import { attributesOf, type SamlAttribute } from "../../domain/saml-configuration/index.ts";
import type { User } from "../../domain/user/index.ts";
import { countsForReaders, doReadersTrustWord, listClaims, refuseAsScripts, userClaims } from "../../oauth/index.ts";
import type { SamlDeps } from "../deps.ts";
import type { PartnerClient } from "../find-partner.ts";

const basicFormat = "urn:oasis:names:tc:SAML:2.0:attrname-format:basic";

/** The user of a response, and the organizations that read it. */
interface Told {
  readonly user: User;
  readonly organizationIds: ReadonlySet<string>;
}

/**
 * Returns the statement about a user, with what scripts of their organization and targets of the instance add;
 * undefined without any value. Empty attributes are left out. None of the application's attributes is replaced. Throws
 * the OAuthError of a script or target that failed and may not.
 */
export async function attributeStatement(
  deps: SamlDeps,
  call: Call,
  { client, configuration }: PartnerClient,
  { user, organizationIds }: Told,
): Promise<XmlElement | undefined> {
  const wanted = attributesOf(configuration);
  const has = (source: SamlAttribute["source"]): boolean => wanted.some((attribute) => attribute.source === source);
  const { read } = deps.database;
  const { instanceId } = call;
  // What administrators and scripts of the user's organization wrote, under names that the application chose: nothing
  // there says whose word it is.
  const metadata =
    has("metadata") && (await doReadersTrustWord(deps, { instanceId, organizationIds }, user))
      ? await readMetadata(read, instanceId, { type: "user", id: user.userId })
      : new Map<string, Uint8Array>();
  const roles = has("roles") ? await listRoles(deps, call, client, user) : [];
  const attributes = wanted.flatMap((attribute) => {
    const values = valuesOf(attribute, user, { metadata, roles }).filter((value) => value !== "");
    return values.length === 0 ? [] : [attributeElement(attribute, values)];
  });
  const counts = await countsForReaders(deps, call, user, { organizationIds });
  const added = await deps.samlScripts.run(call, { user, project: client, counts }).catch(refuseAsScripts);
  const taken = new Set(wanted.flatMap(({ name, friendlyName }) => [comparable(name), comparable(friendlyName)]));
  const byScripts = added.filter(({ name }) => !taken.has(comparable(name)));
  for (const { name } of byScripts) taken.add(comparable(name));
  const byTargets = await askTargets(deps, call, { client, configuration, user, taken });
  const all = [...attributes, ...[...byScripts, ...byTargets].map(addedElement)];
  return all.length === 0 ? undefined : xml("saml:AttributeStatement", {}, all);
}

// Many service providers ignore case, and find an attribute by either of its names.
const comparable = (name: string): string => foldCase(name.normalize("NFKC").trim());

/** Returns what targets of the function add; of several attributes with one name the first counts. */
async function askTargets(
  { functions }: SamlDeps,
  call: Call,
  { client, configuration, user, taken }: PartnerClient & { readonly user: User; readonly taken: Set<string> },
): Promise<readonly AddedAttribute[]> {
  if (!(await functions.has(call, "presamlresponse"))) return [];
  const claims = userClaims({ user, picture: "" }, new Set(["profile", "email", "phone"]));
  const application = { entity_id: configuration.partner.entityId };
  const { attributes } = await functions
    .run(call, "presamlresponse", { user, claims, application, project: client })
    .catch(refuseAsScripts);
  return attributes.filter(({ name }) => {
    const isNew = !taken.has(comparable(name));
    taken.add(comparable(name));
    return isNew;
  });
}

// Those that the list of roles of an OpenID Connect client of the project would have.
async function listRoles(
  { database }: Pick<SamlDeps, "database">,
  { instanceId }: Call,
  { projectId, organizationId }: PartnerClient["client"],
  { userId }: User,
): Promise<readonly string[]> {
  const request = { roleListClaim: "roles", projectId, organizationId, userId, scope: new Set<string>() };
  const { roles } = await listClaims(database.read, instanceId, request);
  return Array.isArray(roles) ? roles.filter((role) => typeof role === "string") : [];
}

const attributeElement = ({ name, friendlyName }: SamlAttribute, values: readonly string[]): XmlElement =>
  xml(
    "saml:Attribute",
    { Name: name, NameFormat: basicFormat, FriendlyName: friendlyName === "" ? undefined : friendlyName },
    values.map((value) => xml("saml:AttributeValue", {}, [value])),
  );

const addedElement = ({ name, nameFormat, values }: AddedAttribute): XmlElement =>
  xml(
    "saml:Attribute",
    { Name: name, NameFormat: nameFormat || basicFormat },
    values.map((value) => xml("saml:AttributeValue", {}, [value])),
  );

type AddedAttribute = Awaited<ReturnType<SamlDeps["samlScripts"]["run"]>>[number];

interface Further {
  readonly metadata: ReadonlyMap<string, Uint8Array>;
  readonly roles: readonly string[];
}

function valuesOf({ source, metadataKey }: SamlAttribute, user: User, { metadata, roles }: Further): readonly string[] {
  const human = user.kind === "human" ? user : undefined;
  switch (source) {
    // A service provider knows its users by their addresses, and has no means to ask whether one is proven.
    case "email":
      return human?.email.isVerified === true ? [human.email.address] : [];
    case "phone":
      return human?.phone?.isVerified === true ? [human.phone.number] : [];
    case "given_name":
      return [human?.profile.givenName ?? ""];
    case "family_name":
      return [human?.profile.familyName ?? ""];
    case "nick_name":
      return [human?.profile.nickName ?? ""];
    case "preferred_language":
      return [human?.profile.preferredLanguage ?? ""];
    case "display_name":
      return [user.displayName];
    case "login_name":
      return [user.preferredLoginName];
    case "user_id":
      return [user.userId];
    case "organization_id":
      return [user.organizationId];
    case "roles":
      return roles;
    case "metadata":
      return [Buffer.from(metadata.get(metadataKey) ?? []).toString("utf8")];
    default:
      return source satisfies never;
  }
}
