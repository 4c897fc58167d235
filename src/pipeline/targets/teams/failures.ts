import { jsonOf, permanent, waitOf } from '../failures.ts'
import type { TargetAnswer, TargetFailure } from '../target.ts'

const SIGNATURE_INVALID = permanent(
  'access_revoked',
  'The workflow rejected the signature in its URL. Copy the URL of the trigger again and save it.',
)
const WORKFLOW_GONE = permanent(
  'channel_gone',
  'The workflow was deleted. Create one with the trigger "When a Teams webhook request is received" and save its URL.',
)
const REJECTED = permanent('message_rejected', 'The workflow rejected the format of the message.')

/** By `error.code` in the JSON of Power Automate. */
const FAILURES: Readonly<Record<string, TargetFailure>> = {
  WorkflowNotFound: WORKFLOW_GONE,
  WorkflowTriggerNotFound: WORKFLOW_GONE,
  WorkflowTriggerIsNotEnabled: permanent(
    'posting_forbidden',
    'The workflow is turned off. Turn it on in Power Automate.',
  ),
  WorkflowTriggerDisabled: permanent(
    'posting_forbidden',
    'The workflow is turned off. Turn it on in Power Automate.',
  ),
  DirectApiAuthorizationRequired: permanent(
    'posting_forbidden',
    'The trigger of the workflow is limited to signed-in users. Allow anyone to trigger it.',
  ),
  DirectApiInvalidAuthorizationScheme: SIGNATURE_INVALID,
  AuthorizationFailed: SIGNATURE_INVALID,
  TriggerInputSchemaMismatch: REJECTED,
  InvalidRequestContent: REJECTED,
}

export function teamsFailureOf(answer: TargetAnswer): TargetFailure | null {
  if (answer.status === 429) return waitOf(answer.headers['retry-after'])
  if (answer.status < 400 || answer.status > 499) return null
  const { error } = jsonOf(answer) as { readonly error?: { readonly code?: unknown } | null }
  const code = typeof error === 'object' && typeof error?.code === 'string' ? error.code : ''
  if (Object.hasOwn(FAILURES, code)) return FAILURES[code] ?? null
  if (answer.status === 401 || answer.status === 403) return SIGNATURE_INVALID
  if (answer.status === 404 || answer.status === 410) return WORKFLOW_GONE
  return answer.status === 413 ? REJECTED : null
}
