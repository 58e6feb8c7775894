import { createContext, useContext } from "react";
import type { Session } from "../session/session.ts";

const SessionContext = createContext<Session | undefined>(undefined);

export const SessionProvider = SessionContext.Provider;

/** Returns the session of this document. */
export function useSession(): Session {
  const session = useContext(SessionContext);
  if (session === undefined) throw new Error("used outside of the session");
  return session;
}
