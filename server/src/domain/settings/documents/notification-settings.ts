/** Events that users are notified of by mail without having asked. */
export interface NotificationSettings {
  /** A change of their password. */
  readonly passwordChange: boolean;
}

export const defaultNotificationSettings: NotificationSettings = { passwordChange: true };
