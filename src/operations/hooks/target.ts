import { isPulled } from '../../model/inbox.ts'
import type { AddressGuard } from '../../runtime/egress/guard.ts'
import { checkTargetUrl } from '../../runtime/egress/target-url.ts'
import { OperationError } from '../error.ts'

/** The problem with a target URL, worded to follow the field's name; null when a hook may have it. */
export function targetUrlProblem(targetUrl: string, guard: AddressGuard): string | null {
  if (isPulled({ targetUrl })) return null
  const check = checkTargetUrl(targetUrl, guard)
  return check.ok ? null : check.problem
}

/** Throws `invalid` for a URL that no hook may have. */
export function requireTarget(targetUrl: string, guard: AddressGuard): void {
  const problem = targetUrlProblem(targetUrl, guard)
  if (problem !== null) throw new OperationError('invalid', problem, { field: 'targetUrl' })
}
