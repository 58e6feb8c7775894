import { openPage } from "../../../src/pages/setup-link/open-view.ts";
import { tasksPage } from "../../../src/pages/setup-link/tasks-view.ts";
import { long, to } from "./gallery-values.ts";
import { type GalleryView, ofView } from "./gallery-view.ts";

const openView = ofView("setup-link-open", openPage);
const tasksView = ofView("setup-link-tasks", tasksPage);

const record = { name: "_doorward-challenge.acme.example", value: "0dZr6DQv0lq3pU5m1a7oYw2bXc9KkE4f" };
const tasks = { organizationName: "Acme", domains: [], kind: "oidc", outcome: undefined } as const;
const callback = "https://login.acme.example/idps/callback/931880896393230001";
const present = { step: "present", name: "Acme ID", isAllowed: true, isOffered: false, signInHref: to } as const;
const provider = { ...present, stopped: undefined } as const;
const oidc = { ...provider, kind: "oidc", callback, issuer: "https://id.acme.example", clientId: "doorward" } as const;
const own = "https://login.acme.example/idps/931880896393230002/saml";
const saml = { kind: "saml", entityId: `${own}/metadata`, consumer: `${own}/acs`, metadataUrl: "" } as const;

/** What the holder of a setup link sees. */
export const setupLinkViews: readonly GalleryView[] = [
  openView("default", () => ({ action: to, outcome: undefined })),
  openView("error", () => ({ action: to, outcome: "closed" })),
  openView("done", () => ({ action: to, outcome: "finished" })),
  tasksView("default", () => ({
    ...tasks,
    domains: [
      { domain: "acme.example", isVerified: true, record: undefined },
      { domain: "corp.acme.example", isVerified: false, record },
    ],
    provider: { step: "absent", callback },
  })),
  tasksView("provider", () => ({ ...tasks, domains: undefined, provider: oidc, outcome: "ok" })),
  tasksView("saml", () => ({
    ...tasks,
    domains: undefined,
    provider: { ...provider, ...saml, isOffered: true },
  })),
  tasksView("refused", () => ({ ...tasks, domains: undefined, provider: oidc, outcome: "failed" })),
  tasksView("stopped", () => ({
    ...tasks,
    domains: undefined,
    provider: { ...oidc, stopped: "An administrator deactivated this provider." },
  })),
  tasksView("error", () => ({
    ...tasks,
    domains: [{ domain: long.loginName.split("@")[1] ?? "", isVerified: false, record: undefined }],
    organizationName: long.organizationName,
    kind: "saml",
    provider: { step: "absent", callback },
    problem: { part: "provider", kind: "saml", message: "The address must be https.", entered: {} },
  })),
];
