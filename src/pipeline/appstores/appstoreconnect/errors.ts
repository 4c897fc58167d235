import { failed, quoted } from '../official/failure.ts'
import { type Answered, changedAnswer, jsonOf, retryAfterOf } from '../official/send.ts'
import type { OfficialFailure } from '../official.ts'
import { recordOf } from '../parsed.ts'
import { API } from './deps.ts'
import { quotaOf } from './quota.ts'

/** An entry of Apple's `{errors: […]}`. Titles and details are for people: the code decides. */
type AscError = { readonly code: string; readonly title: string; readonly detail: string }

/** After a limit without `Retry-After`: the undocumented one is per minute, the documented one per rolling hour. */
const MINUTE_LIMIT_MS = 60_000
const HOUR_LIMIT_MS = 10 * 60_000

/** The meaning of a status from 400 to 499. `clock` is a sentence when this machine's clock may be the reason for a 401. */
export function failureOf(
  answer: Answered,
  about: { readonly kind: 'apps' | 'app' | 'review' | 'reply'; readonly id: string },
  clock: string | null,
  isTeamKey: boolean,
): OfficialFailure {
  const { status, headers } = answer
  const errors = errorsOf(answer)
  const more = { status }
  switch (status) {
    case 401:
      if (clock !== null) return failed('clock_skew', `${API} rejected the key. ${clock}`, more)
      return failed(
        'unauthorized',
        isTeamKey
          ? `${API} rejected the key: check the issuer id, the key id and the .p8 file, which belong together, and that the key is not revoked.`
          : `${API} rejected the key: a team key needs its issuer id, and an individual key none. Check the key id and the .p8 file too, which belong together, and that the key is not revoked.`,
        { ...more, field: 'private_key' },
      )
    case 403:
      return forbidden(errors, about.kind, more)
    case 404:
      // There is no such list at this address.
      if (about.kind === 'apps') break
      return about.kind === 'app'
        ? failed(
            'app_not_found',
            `This key has no access to the app ${about.id}: it belongs to another team, or the id is wrong.`,
            {
              ...more,
              field: 'app_id',
            },
          )
        : failed('review_not_found', `${API} no longer has the review ${about.id}.`, more)
    case 429: {
      const remaining = quotaOf(headers)?.remaining ?? null
      const retryAfterMs = retryAfterOf(headers) ?? (remaining === 0 ? HOUR_LIMIT_MS : MINUTE_LIMIT_MS)
      const limit =
        remaining === 0 ? 'The key has used up its requests for this hour.' : 'Too many requests in a minute.'
      return failed('rate_limited', `${API} rate-limited this key. ${limit}`, {
        ...more,
        retryAfterMs,
      })
    }
    case 400:
    case 409:
    case 422:
      if (errors.length === 0) break
      return failed('rejected', `${API} refused the request: ${sentenceOf(errors)}`, more)
  }
  return changedAnswer(API, `it has status ${status}`, answer)
}

function forbidden(
  errors: readonly AscError[],
  about: 'apps' | 'app' | 'review' | 'reply',
  more: { readonly status: number },
): OfficialFailure {
  if (errors.some(isMissingAgreement)) {
    return failed(
      'agreement_missing',
      `${API} refuses every request of this account until its Account Holder accepts the current agreements (App Store Connect → Business, and developer.apple.com/account).`,
      more,
    )
  }
  const needed =
    about === 'reply'
      ? 'answer reviews. Use a key with the role Admin; some keys with the role Customer Support may only read'
      : about === 'apps'
        ? 'list apps. Use a key with the role Customer Support, Developer, App Manager or Admin'
        : 'read reviews. Use a key with the role Customer Support, Developer, App Manager or Admin'
  return failed('forbidden', `This key may not ${needed}.`, { ...more, field: 'private_key' })
}

/** The code of 2020 is plain `FORBIDDEN`, so its text decides. */
function isMissingAgreement({ code, detail }: AscError): boolean {
  return code.startsWith('FORBIDDEN.REQUIRED_AGREEMENTS') || (code === 'FORBIDDEN' && /\bagree/i.test(detail))
}

function sentenceOf(errors: readonly AscError[]): string {
  const texts = new Set(errors.map(({ title, detail }) => quoted(detail === '' ? title : detail)))
  return [...texts].slice(0, 3).join(' ')
}

function errorsOf(answer: Answered): readonly AscError[] {
  const list = recordOf(jsonOf(answer))?.errors
  if (!Array.isArray(list)) return []
  return list.flatMap((one: unknown) => {
    const error = recordOf(one)
    if (error === null) return []
    const text = (value: unknown) => (typeof value === 'string' ? value : '')
    return [{ code: text(error.code), title: text(error.title), detail: text(error.detail) }]
  })
}
