import type { AuditActor } from '../model/audit.ts'
import type { AuditOperations } from '../operations/audit.ts'
import { AUDIT_RULES, type AuditedCall, type AuditRule, type NamingOperations } from './audit.ts'
import type { Fields } from './audit-detail.ts'
import { addressOf } from './client-address.ts'
import { type Call, type Caller, isMember, type Route } from './route.ts'

/** The dependencies of recording a call. */
export type RecordedOperations = NamingOperations & {
  readonly audit: Pick<AuditOperations, 'record' | 'recordForUser'>
}

type AnyCall = Pick<
  Call<unknown, unknown, Caller | null, unknown>,
  'caller' | 'param' | 'body' | 'query' | 'request'
>

/** Runs a call of a route, and records it in the audit log when it succeeds, its route has a rule, and a bulk action changed something. */
export function recorder(
  prefix: string,
  route: Pick<Route, 'method' | 'path'>,
  operations: RecordedOperations,
): <Answer>(call: AnyCall, run: () => Promise<Answer>) => Promise<Answer> {
  const rule = AUDIT_RULES[prefix]?.[`${route.method} ${route.path}`] ?? null
  const lastParam = [...route.path.matchAll(/:(\w+)/g)].at(-1)?.[1]
  if (rule === null) return (_call, run) => run()

  return async (call, run) => {
    const { caller, param, request } = call
    if (caller === null) return run()
    const id = lastParam === undefined ? null : param(lastParam)
    const name = await nameBefore(rule, operations, caller.accountId, id)
    const answer = await run()
    const [body, query] = [fieldsOf(call.body), fieldsOf(call.query)]
    const audited: AuditedCall = { param, name, body, query, answer: fieldsOf(answer) }
    if (audited.answer.changed === 0 || audited.answer.undone === 0) return answer
    const ownId = audited.answer.id
    const entry = {
      actor: actorOf(caller),
      clientAddress: addressOf(request),
      action: typeof rule.action === 'string' ? rule.action : rule.action(audited),
      target: rule.target ? rule.target(audited) : typeof ownId === 'string' ? ownId : id,
      detail: rule.detail?.(audited) ?? null,
    }
    if (rule.ofUser && isMember(caller)) await operations.audit.recordForUser(caller.user.id, entry)
    else await operations.audit.record({ accountId: caller.accountId, ...entry })
    return answer
  }
}

/** Null when it is unknown; then the call itself fails with the reason. */
async function nameBefore(
  rule: AuditRule,
  operations: NamingOperations,
  accountId: string,
  id: string | null,
): Promise<string | null> {
  if (rule.nameBefore === undefined || id === null) return null
  try {
    return (await rule.nameBefore(operations, accountId, id)) ?? null
  } catch {
    return null
  }
}

export function actorOf(caller: Caller): AuditActor {
  return isMember(caller) ? userActor(caller.user) : { kind: 'token', id: caller.id, name: caller.name }
}

/** The name of a user is the unique e-mail address. */
export function userActor({ id, email }: { readonly id: string; readonly email: string }): AuditActor {
  return { kind: 'user', id, name: email }
}

function fieldsOf(value: unknown): Fields {
  return typeof value === 'object' && value !== null ? (value as Fields) : {}
}
