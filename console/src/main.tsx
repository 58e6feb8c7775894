import { TransportProvider } from "@connectrpc/connect-query";
import { hashKey, QueryClient, QueryClientProvider } from "@tanstack/react-query";
import { RouterProvider } from "@tanstack/react-router";
import { StrictMode } from "react";
import { createRoot } from "react-dom/client";
import { createConnection } from "./api/connection.ts";
import { problemOf } from "./api/problem.ts";
import { router } from "./router.tsx";
import { basePath, readEnvironment } from "./session/environment.ts";
import { openSession, readReturn, type Session } from "./session/session.ts";
import { SessionProvider } from "./shell/session-context.ts";
import { SignInFailure } from "./shell/sign-in-failure.tsx";
import { TestEnd } from "./shell/test-end.tsx";
import "./style/tokens.css";
import "./style/base.css";
import "./style/controls.css";
import "./style/shell.css";
import "./style/parts.css";
import "./style/content.css";
import "./style/chart.css";
import "./style/appearance.css";
import { loadTexts } from "./text/catalogue.ts";

const organizationId = () => new URLSearchParams(location.search).get("org") || undefined;

const queries = new QueryClient({
  defaultOptions: {
    queries: {
      // What a user may not see or what does not exist does not change by asking again.
      retry: (count, error) => count < 1 && !(problemOf(error).isForbidden || problemOf(error).isAbsent),
      staleTime: 5_000,
      // The connection sends the organization of the address with every request, so answers differ by it.
      queryKeyHashFn: (key) => `${organizationId() ?? ""} ${hashKey(key)}`,
    },
  },
});

const show = (session: Session) => (
  <SessionProvider value={session}>
    <TransportProvider transport={createConnection(session, organizationId)}>
      <QueryClientProvider client={queries}>
        <RouterProvider router={router} />
      </QueryClientProvider>
    </TransportProvider>
  </SessionProvider>
);

async function start(root: HTMLElement): Promise<void> {
  if (location.pathname === `${basePath}/test-sign-in`) {
    await loadTexts();
    return createRoot(root).render(<TestEnd />);
  }
  const environment = readEnvironment();
  const returned = readReturn(location);
  if (returned !== undefined) history.replaceState(null, "", returned.path);
  const texts = loadTexts();
  const reactRoot = createRoot(root);
  try {
    if (returned?.error) throw returned.error;
    const session = await openSession(environment, returned);
    await texts;
    reactRoot.render(<StrictMode>{show(session)}</StrictMode>);
  } catch (error) {
    await texts;
    reactRoot.render(<SignInFailure error={error} />);
  }
}

const root = document.getElementById("root");
if (root !== null) void start(root);
