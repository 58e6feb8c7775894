import type { MessageInitShape } from "@bufbuild/protobuf";
import type { FieldMask } from "@bufbuild/protobuf/wkt";
import type { RequestContext } from "@doorward/api/service/object/v2/object_pb";
import type { SettingsOriginSchema } from "@doorward/api/service/settings/v2/origin_pb";
import { Fault } from "../../../base/fault.ts";
import type { Call } from "../../../call/index.ts";
import type { Details } from "../../../database/index.ts";
import {
  type EffectiveSettings,
  etagOfSettings,
  type GetSettingsDeps,
  type SettingsChange,
  type SettingsDocuments,
  type SettingsKind,
  settingsKinds,
} from "../../../domain/settings/index.ts";
import { answerSettings } from "../../contract/index.ts";
import { differences, fieldsInMask, type MaskedField } from "../../settings/masked-fields.ts";

type Found<Kind extends SettingsKind> = EffectiveSettings<SettingsDocuments[Kind]>;

/** A document of settings as version 2 reads and changes it. */
export interface SettingsDocument<Kind extends SettingsKind, Message extends object> {
  readonly kind: Kind;
  readonly fields: readonly MaskedField[];
  readonly toMessage: (settings: SettingsDocuments[Kind], instanceId: string) => Message | Promise<Message>;
}

type Origin = MessageInitShape<typeof SettingsOriginSchema>;

/** Returns whose values the fields of a document are, compared with the level above. */
async function originOf<Kind extends SettingsKind>(
  deps: GetSettingsDeps,
  { instanceId, organizationId }: Scope,
  { kind, fields }: Pick<SettingsDocument<Kind, object>, "kind" | "fields">,
  { settings, source, details }: Found<Kind>,
): Promise<Origin> {
  const paths = fields.map(({ path }) => path);
  const isOwn = organizationId === undefined ? details.sequence > 0 : source === "organization";
  const above =
    source === "organization"
      ? (await deps.settings.getCommitted(kind, { instanceId })).settings
      : settingsKinds[kind].defaults;
  return {
    etag: etagOfSettings(details),
    ownFields: { paths: isOwn ? paths : [] },
    inheritedFields: { paths: isOwn ? [] : paths },
    differingFields: { paths: isOwn ? [...differences(fields, settings, above)] : [] },
  };
}

interface Scope {
  readonly instanceId: string;
  readonly organizationId?: string | undefined;
}

/** Answers with settings as they hold in a scope, and whose they are. */
export async function answerDocument<Kind extends SettingsKind, Message extends object>(
  deps: GetSettingsDeps,
  scope: Scope,
  document: SettingsDocument<Kind, Message>,
  found: Found<Kind>,
) {
  const origin = await originOf(deps, scope, document, found);
  const settings = await document.toMessage(found.settings, scope.instanceId);
  return { ...answerSettings(found, settings), origin };
}

interface DocumentRequest {
  readonly ctx?: RequestContext | undefined;
  readonly settings?: object | undefined;
  readonly updateMask?: FieldMask | undefined;
  readonly etag?: string | undefined;
}

type Write<Kind extends SettingsKind> = (call: Call, change: SettingsChange<Kind>) => Promise<Details>;

/** Changes the fields that a request names, and answers with the settings as they are now. */
export async function updateDocument<Kind extends SettingsKind, Message extends object>(
  deps: GetSettingsDeps,
  call: Call,
  request: DocumentRequest,
  document: SettingsDocument<Kind, Message>,
  write: Write<Kind>,
) {
  const { kind, fields } = document;
  const named = fieldsInMask(fields, request.updateMask?.paths ?? []);
  const scope = writtenScope(request.ctx);
  const given = request.settings ?? {};
  await write(call, {
    kind,
    ...scope,
    change: (current) =>
      named.reduce<object>((changed, { take }) => take(changed, given), current) as SettingsDocuments[Kind],
    ...(request.etag !== undefined &&
      request.etag !== "" && {
        expected: {
          etag: request.etag,
          namesOfDifferences: (former, present) => differences(fields, former, present),
        },
      }),
  });
  return readDocument(deps, { instanceId: call.instanceId, ...scope }, document);
}

/** Makes an organization inherit a document again, and answers with what it inherits. */
export async function resetDocument<Kind extends SettingsKind, Message extends object>(
  deps: GetSettingsDeps,
  call: Call,
  request: { readonly ctx?: RequestContext | undefined },
  document: SettingsDocument<Kind, Message>,
  reset: (call: Call, scope: { readonly kind: Kind; readonly organizationId: string }) => Promise<unknown>,
) {
  const { organizationId } = writtenScope(request.ctx);
  if (organizationId === undefined) throw required("ctx.orgId");
  await reset(call, { kind: document.kind, organizationId });
  return readDocument(deps, { instanceId: call.instanceId, organizationId }, document);
}

// Callers who may change settings are told what they are now.
async function readDocument<Kind extends SettingsKind, Message extends object>(
  deps: GetSettingsDeps,
  scope: Scope,
  document: SettingsDocument<Kind, Message>,
) {
  const found = await deps.settings.getCommitted(document.kind, scope);
  return answerDocument(deps, scope, document, found);
}

// Changes name their level: what a caller left out must not decide whose settings change.
function writtenScope(context: RequestContext | undefined): { readonly organizationId?: string } {
  const owner = context?.resourceOwner;
  if (owner?.case !== "orgId") return {};
  if (owner.value === "") throw required("ctx.orgId");
  return { organizationId: owner.value };
}

const required = (field: string): Fault =>
  new Fault("invalid_argument", "field.required", { field, values: { field } });
