import { type Reader, sql } from "../../database/index.ts";

/** Where a user can be told of a change. */
export interface NoticeAddress {
  readonly email: string | null;
  readonly isEmailVerified: number | null;
  readonly preferredLanguage: string | null;
  readonly createdAt: number;
}

export const findNoticeAddress = (
  reader: Reader,
  instanceId: string,
  userId: string,
): Promise<NoticeAddress | undefined> =>
  reader.maybe<NoticeAddress>(sql`select email, is_email_verified as "isEmailVerified",
      preferred_language as "preferredLanguage", created_at as "createdAt"
    from users where instance_id = ${instanceId} and user_id = ${userId} and kind = 'human'`);
