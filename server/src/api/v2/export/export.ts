import { create, toJsonString } from "@bufbuild/protobuf";
import { ExportFormat, ExportService } from "@doorward/api/service/export/v2/export_service_pb";
import { UserSchema } from "@doorward/api/service/user/v2/user_pb";
import { csvRecord } from "../../../base/csv.ts";
import type { Vault } from "../../../base/vault.ts";
import type { Database } from "../../../database/index.ts";
import type { OriginOf } from "../../../domain/instance/index.ts";
import { type ListedUser, listUsersAfter } from "../../../domain/user-search/index.ts";
import { type Binding, bind } from "../../contract/index.ts";
import { toUserFilter } from "../user/user-list.ts";
import { toUserMessage } from "../user/user-message.ts";

const usersOfPart = 1000;

interface Deps {
  readonly database: Database;
  readonly vault: Vault;
  readonly originOf: OriginOf;
}

/** ExportService. */
export const exportMethods = (deps: Deps): Binding =>
  bind(ExportService, {
    exportUsers: async (call, { queries, format, pageToken: position }) => {
      const input = { filters: queries.map(toUserFilter), position, limit: usersOfPart };
      const { users, next = "" } = await listUsersAfter(deps, call, input);
      if (format === ExportFormat.CSV) {
        const names = position === "" ? csvRecord(Object.keys(columns)) : "";
        return { content: names + users.map(toRecord).join(""), nextPageToken: next };
      }
      const origin = await deps.originOf(call.instanceId);
      const toLine = (user: ListedUser): string =>
        `${toJsonString(UserSchema, create(UserSchema, toUserMessage(user, origin)))}\n`;
      return { content: users.map(toLine).join(""), nextPageToken: next };
    },
  });

const toRecord = (user: ListedUser): string => csvRecord(Object.values(columns).map((read) => read(user)));

const toDate = (instant: number): string => new Date(instant).toISOString();

const columns: Readonly<Record<string, (user: ListedUser) => string>> = {
  id: ({ userId }) => userId,
  organization_id: ({ organizationId }) => organizationId,
  kind: ({ kind }) => kind,
  state: ({ state }) => state,
  username: ({ username }) => username,
  login_name: ({ preferredLoginName }) => preferredLoginName,
  display_name: ({ displayName }) => displayName,
  first_name: (user) => (user.kind === "human" ? user.profile.givenName : ""),
  last_name: (user) => (user.kind === "human" ? user.profile.familyName : ""),
  language: (user) => (user.kind === "human" ? (user.profile.preferredLanguage ?? "") : ""),
  email: (user) => (user.kind === "human" ? user.email.address : ""),
  email_verified: (user) => (user.kind === "human" ? String(user.email.isVerified) : ""),
  phone: (user) => (user.kind === "human" ? (user.phone?.number ?? "") : ""),
  phone_verified: (user) => (user.kind === "human" && user.phone ? String(user.phone.isVerified) : ""),
  created: ({ details }) => toDate(details.createdAt),
  changed: ({ details }) => toDate(details.changedAt),
};
