import { AUDIT_ACTOR_NAMES } from '../../../src/contract/console/audit-names.ts'
import type { AuditLine } from '../../../src/contract/v1/audit-log.ts'

/** The name of a user or token. All commands are one actor. */
export function actorName(actor: AuditLine['actor']): string {
  return actor.kind === 'user' || actor.kind === 'token' ? actor.name : AUDIT_ACTOR_NAMES[actor.kind]
}
