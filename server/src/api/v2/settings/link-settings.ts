import type { RequestContext } from "@doorward/api/service/object/v2/object_pb";
import { SettingsType } from "@doorward/api/service/settings/v2/effective_pb";
import {
  type Link as LinkMessage,
  LinkTarget,
  LinkType as WireLinkType,
} from "@doorward/api/service/settings/v2/link_pb";
import { Source } from "@doorward/api/service/settings/v2/settings_pb";
import { SettingsService } from "@doorward/api/service/settings/v2/settings_service_pb";
import {
  getSettings,
  type Link,
  type LinkSettings,
  type LinkType,
  resetSettings,
  type SettingsDeps,
  setSettings,
} from "../../../domain/settings/index.ts";
import { type Binding, bind, toTimestamp } from "../../contract/index.ts";
import { findSettingsOwner } from "./find-settings-owner.ts";

/**
 * SettingsService: links that pages show. Without a context they are those of the instance, because only its
 * administrators may call it.
 */
export const linkSettingsMethods = (deps: SettingsDeps): Binding =>
  bind(SettingsService, {
    async getLinkSettings(call, { ctx }) {
      const { settings, source } = await getSettings(deps, call, { kind: "links", ...scopeOf(ctx) });
      const isOfInstance = source === "instance";
      return { settings: toMessage(settings), source: isOfInstance ? Source.INSTANCE : Source.ORGANIZATION };
    },
    async setLinkSettings(call, { ctx, links }) {
      const settings = { links: links.map(fromMessage) };
      const { changedAt } = await setSettings(deps, call, { kind: "links", settings, ...scopeOf(ctx) });
      return { changeDate: toTimestamp(changedAt), settings: toMessage(settings) };
    },
    async resetLinkSettings(call, { ctx }) {
      const scope = scopeOf(ctx);
      const reset = await resetSettings(deps, call, { kind: "links", organizationId: scope.organizationId ?? "" });
      const { settings } = await getSettings(deps, call, { kind: "links", ...scope });
      return { ...(reset && { changeDate: toTimestamp(reset.changedAt) }), settings: toMessage(settings) };
    },
    async getEffectiveSettings(call, { organizationId, projectId, applicationId, types }) {
      const ownerId = organizationId ?? (await findSettingsOwner(deps, call, { projectId, applicationId }));
      const { settings } = await getSettings(deps, call, { kind: "links", organizationId: ownerId });
      const areWanted = types.length === 0 || types.includes(SettingsType.LINK_SETTINGS);
      return areWanted ? { links: toMessage(settings) } : {};
    },
  });

function scopeOf(context: RequestContext | undefined): { readonly organizationId?: string } {
  const owner = context?.resourceOwner;
  return owner?.case === "orgId" && owner.value !== "" ? { organizationId: owner.value } : {};
}

const types = {
  terms_of_service: WireLinkType.TERMS_OF_SERVICE,
  privacy_policy: WireLinkType.PRIVACY_POLICY,
  help: WireLinkType.HELP,
  support: WireLinkType.SUPPORT,
  docs: WireLinkType.DOCS,
  custom: WireLinkType.CUSTOM,
} as const satisfies Record<LinkType, WireLinkType>;

const targets = { self: LinkTarget.SELF, blank: LinkTarget.BLANK } as const satisfies Record<
  NonNullable<Link["target"]>,
  LinkTarget
>;

function fromMessage({ url, translationKey, ...link }: LinkMessage): Link {
  const type = (Object.keys(types) as LinkType[]).find((name) => types[name] === link.type);
  const target = (["self", "blank"] as const).find((name) => targets[name] === link.target);
  return { url, translationKey, ...(type !== undefined && { type }), ...(target !== undefined && { target }) };
}

const toMessage = ({ links }: LinkSettings) => ({
  links: links.map(({ url, translationKey, type, target }) => ({
    url,
    translationKey,
    type: type === undefined ? WireLinkType.UNSPECIFIED : types[type],
    target: target === undefined ? LinkTarget.UNSPECIFIED : targets[target],
  })),
});
