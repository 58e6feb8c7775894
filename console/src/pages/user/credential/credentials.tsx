import { UserFrame } from "../user-frame.tsx";
import { AccessTokens } from "./access-tokens.tsx";
import { ClientSecret } from "./client-secret.tsx";
import { Keys } from "./keys.tsx";

/** How a service account proves itself. */
export const UserCredentialsPage = () => (
  <UserFrame>
    {(user) =>
      user.type.case === "machine" && (
        <>
          <Keys userId={user.userId} />
          <ClientSecret user={user} hasSecret={user.type.value.hasSecret} />
          <AccessTokens userId={user.userId} />
        </>
      )
    }
  </UserFrame>
);
