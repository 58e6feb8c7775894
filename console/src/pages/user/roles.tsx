import { Assignments } from "./assignments.tsx";
import { GroupsOfUser } from "./groups-of-user.tsx";
import { UserFrame } from "./user-frame.tsx";

/** The roles that a user has in projects, their own and those of their groups. */
export const UserRolesPage = () => (
  <UserFrame>
    {(user) => (
      <>
        <Assignments userId={user.userId} organizationId={user.details?.resourceOwner ?? ""} />
        <GroupsOfUser userId={user.userId} />
      </>
    )}
  </UserFrame>
);
