import { Fault } from "../base/fault.ts";
import { matchLanguage } from "../base/language.ts";
import { findApplication } from "../domain/application/index.ts";
import { findProject } from "../domain/project/index.ts";
import { nestTexts, type Translations } from "../domain/settings/index.ts";
import type { FindSettingsOwner } from "../domain/settings/link-settings.rpc.ts";
import type { Domain } from "./domain.ts";

/** Finds the organization whose settings apply to a project or an application. */
export function createFindSettingsOwner({ database }: Pick<Domain, "database">): FindSettingsOwner {
  return async (call, { projectId, applicationId }) => {
    const { read } = database;
    if (applicationId !== undefined) {
      const application = await findApplication(read, call.instanceId, applicationId);
      if (application === undefined || (projectId ?? application.projectId) !== application.projectId) {
        throw new Fault("not_found", "application.not_found", { field: "applicationId" });
      }
      return application.organizationId;
    }
    if (projectId === undefined) return undefined;
    const project = await findProject(read, call.instanceId, projectId);
    if (project === undefined) throw new Fault("not_found", "project.not_found", { field: "projectId" });
    return project.organizationId;
  };
}

// Areas of the catalogues that do not belong to the login.
const foreignAreas = new Set(["docs", "fault", "inbox", "setup", "start"]);

/** Returns the texts of our own login pages in the language that matches a tag, or in English. */
export function createBuiltInTexts({ texts }: Pick<Domain, "texts">): (locale: string) => Translations {
  return (locale) =>
    nestTexts(
      [...texts.all(matchLanguage(locale) ?? "en")].filter(([key]) => !foreignAreas.has(key.split(".", 1)[0] ?? "")),
    );
}
