import {
  PreviewTheme,
  type PreviewedMessage as WireMessage,
  type PreviewedPage as WirePage,
} from "@doorward/api/service/appearance/v2/appearance_pb";
import { AppearanceService } from "@doorward/api/service/appearance/v2/appearance_service_pb";
import { Fault } from "../../../base/fault.ts";
import { type Call, requireCaller } from "../../../call/index.ts";
import { findDraftBrand } from "../../../domain/branding/index.ts";
import { findContactOrigins } from "../../../domain/contact/index.ts";
import { listPageTexts, type PageText, requireLanguage, setPageTexts } from "../../../domain/login-text/index.ts";
import { type SendToCallerDeps, sendToCaller } from "../../../domain/message-provider/index.ts";
import type { BuiltInTexts } from "../../../domain/message-text/index.ts";
import {
  checkSubject,
  createPreview,
  type PreviewDeps,
  type PreviewedMessage,
  type PreviewedPage,
} from "../../../domain/preview/index.ts";
import { authorizeSettings } from "../../../domain/settings/index.ts";
import { findUser } from "../../../domain/user/index.ts";
import { renderSample } from "../../../message/index.ts";
import { type Binding, bind } from "../../contract/index.ts";
import { fromPage, toKind, toLook, toPage } from "./words.ts";

export interface AppearanceDeps extends Omit<PreviewDeps, "vault">, Omit<SendToCallerDeps, "vault"> {
  readonly vault: PreviewDeps["vault"] & SendToCallerDeps["vault"];
  readonly builtInTexts: BuiltInTexts;
  /** Returns the public origin of an instance. */
  readonly originOf: (instanceId: string) => Promise<string>;
}

/** AppearanceService. */
export const appearanceServiceMethods = (deps: AppearanceDeps): Binding =>
  bind(AppearanceService, {
    async createPreview(call, { subject, look, theme, ...wanted }) {
      if (subject.case === undefined) throw missing("page");
      const { organizationId, language, isActive } = wanted;
      const sealed = await createPreview(deps, call, {
        organizationId,
        language,
        isActive,
        look: look && toLook(look),
        theme: theme === PreviewTheme.DARK ? "dark" : "light",
        subject: subject.case === "page" ? toPreviewedPage(subject.value) : toPreviewedMessage(subject.value),
      });
      return { path: `/ui/preview?of=${encodeURIComponent(sealed)}` };
    },
    async listPageTexts(call, { organizationId, language, page }) {
      const texts = await listPageTexts(deps, call, { organizationId, language, page: toPage(page) });
      return { texts: texts.map(toText) };
    },
    async setPageTexts(call, { organizationId, language, texts }) {
      await setPageTexts(deps, call, { organizationId, language, texts: new Map(Object.entries(texts)) });
      return {};
    },
    async sendTestMessage(call, { organizationId, message, language }) {
      if (message === undefined) throw missing("message");
      return {
        recipient: await sendTest(deps, call, { organizationId, message: toPreviewedMessage(message), language }),
      };
    },
  });

const missing = (field: string): Fault => new Fault("invalid_argument", "field.required", { field, values: { field } });

async function sendTest(
  deps: AppearanceDeps,
  call: Call,
  given: { readonly organizationId: string; readonly message: PreviewedMessage; readonly language: string },
): Promise<string> {
  const { read } = deps.database;
  const { instanceId } = call;
  const { organizationId } = given;
  await authorizeSettings(read, call, organizationId, "write");
  const language = requireLanguage(given.language);
  const { message: kind, parts } = checkSubject(deps, organizationId, given.message);
  const { userId, access } = requireCaller(call);
  const user = await findUser(read, instanceId, userId);
  const { email: origin } = await findContactOrigins(read, instanceId, userId);
  // Who manages an organization can call any address their own. Who manages the instance has its mail servers anyway.
  const isEnough = origin?.isConfirmed === true || access.allows("iam.policy.write", {});
  const email = user?.kind === "human" && user.email.isVerified && isEnough ? user.email.address : undefined;
  if (email === undefined) throw new Fault("failed_precondition", "user.email_unverified");
  const brand = await findDraftBrand(read, instanceId, { organizationId, isActive: false });
  if (brand === undefined) throw new Fault("not_found", "organization.not_found");
  const rendered = await renderSample(deps, instanceId, { kind, language, organizationId, parts, brand });
  await sendToCaller(deps, call, { ...rendered, recipient: email });
  return email;
}

const toText = ({ key, page, placeholders, ...text }: PageText) => ({
  ...text,
  name: key,
  page: fromPage(page),
  placeholders: [...placeholders],
});

const toPreviewedPage = ({ page, hasErrors, texts }: WirePage): PreviewedPage => ({
  kind: "page",
  page: toPage(page) ?? "login_name",
  hasErrors,
  texts,
});

const toPreviewedMessage = ({ kind, parts }: WireMessage): PreviewedMessage => ({
  kind: "message",
  message: toKind(kind),
  parts: parts && {
    title: parts.title,
    preHeader: parts.preHeader,
    subject: parts.subject,
    greeting: parts.greeting,
    text: parts.text,
    buttonText: parts.buttonText,
    footerText: parts.footerText,
  },
});
