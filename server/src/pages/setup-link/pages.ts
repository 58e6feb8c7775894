import type { PageAt } from "../visit/handlers.ts";
import { takeCheck, takeDomain, takeProof } from "./domain-handler.ts";
import { showOpen, takeFinish, takeOpen } from "./open-handler.ts";
import { takeOffer, takeOidc, takeRemoval, takeSaml, takeTest } from "./provider-handler.ts";
import { showTasks } from "./tasks-handler.ts";

const pageOfForm = "/ui/setup-link/tasks";

export const pages: readonly PageAt[] = [
  { path: "/ui/setup-link", get: showOpen, post: takeOpen },
  { path: "/ui/setup-link/tasks", get: showTasks },
  { path: "/ui/setup-link/domain", post: takeDomain, pageOfForm },
  { path: "/ui/setup-link/proof", post: takeProof, pageOfForm },
  { path: "/ui/setup-link/check", post: takeCheck, pageOfForm },
  { path: "/ui/setup-link/oidc", post: takeOidc, pageOfForm },
  { path: "/ui/setup-link/saml", post: takeSaml, pageOfForm, fileField: "metadata" },
  { path: "/ui/setup-link/offer", post: takeOffer, pageOfForm },
  { path: "/ui/setup-link/test", post: takeTest, pageOfForm },
  { path: "/ui/setup-link/remove", post: takeRemoval, pageOfForm },
  { path: "/ui/setup-link/finish", post: takeFinish, pageOfForm },
];
