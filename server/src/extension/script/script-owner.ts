/** Whose script runs. */
export interface ScriptOwner {
  readonly instanceId: string;
  readonly organizationId: string;
}
