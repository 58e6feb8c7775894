/** What people are told about by mail without having asked. */
export interface NotificationSettings {
  /** That their password was changed. */
  readonly passwordChange: boolean;
}

export const defaultNotificationSettings: NotificationSettings = { passwordChange: true };
