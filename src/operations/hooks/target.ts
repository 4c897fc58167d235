import type { Hook } from '../../model/hook.ts'
import { isPulled } from '../../model/inbox.ts'
import type { AddressGuard } from '../../runtime/egress/guard.ts'
import { checkTargetUrl } from '../../runtime/egress/target-url.ts'
import { OperationError } from '../error.ts'

export type HookTarget = Pick<Hook, 'targetType' | 'targetUrl' | 'targetSettings'>

/** The problem with a target URL, worded to follow the field's name; null when a hook may have it. */
export function targetUrlProblem(targetUrl: string, guard: AddressGuard): string | null {
  if (isPulled({ targetUrl })) return null
  const check = checkTargetUrl(targetUrl, guard)
  return check.ok ? null : check.problem
}

/** The target of a webhook. Throws `invalid` for a URL that no hook may have. */
export function webhookAt(targetUrl: string, guard: AddressGuard): HookTarget {
  const problem = targetUrlProblem(targetUrl, guard)
  if (problem !== null) throw new OperationError('invalid', problem, { field: 'targetUrl' })
  return { targetType: 'webhook', targetUrl, targetSettings: null }
}
