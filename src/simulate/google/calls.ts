import { readToken } from './tokens.ts'

/** A call of Play's RPCs for reviews in a form body. */
export type Call =
  | {
      readonly kind: 'reviews'
      readonly rpcId: string
      readonly appId: string
      readonly language: string
      readonly newestFirst: boolean
      readonly count: number
      readonly token: string | null
      /** Page number from 1, stored in the token. */
      readonly page: number
    }
  | {
      readonly kind: 'history'
      readonly rpcId: string
      readonly appId: string
      readonly language: string
      readonly reviewId: string
    }

const NEWEST = 2
const HISTORY = 4
/** The position of the device among the filters. */
const DEVICE = 8

/** The call in a form body; null for an unknown call. */
export function readCall(body: string, language: string): Call | null {
  try {
    const [[[rpcId, text]]] = JSON.parse(new URLSearchParams(body).get('f.req') ?? '')
    const request = JSON.parse(text)
    switch (rpcId) {
      case 'UsvDTd': {
        const [, , query, [appId], reviewId] = request
        if (query[0] === HISTORY) {
          return { kind: 'history', rpcId, appId: String(appId), language, reviewId: String(reviewId) }
        }
        return reviewsCall(rpcId, language, String(appId), query, query[1] === NEWEST)
      }
      case 'oCPfdb': {
        const [, query, [appId]] = request
        // Without a list of filters, Play returned the most relevant reviews first, even if newest first was requested (reported 2023-07).
        const newestFirst = query[1] === NEWEST && Array.isArray(query[4]) && query[4].length > DEVICE
        return reviewsCall(rpcId, language, String(appId), query, newestFirst)
      }
      default:
        return null
    }
  } catch {
    return null
  }
}

function reviewsCall(
  rpcId: string,
  language: string,
  appId: string,
  query: readonly unknown[],
  newestFirst: boolean,
): Call {
  const [count, , wanted] = query[2] as [unknown, unknown, unknown]
  const token = typeof wanted === 'string' && wanted !== '' ? wanted : null
  const page = token === null ? 1 : (readToken(token)?.page ?? 1)
  return { kind: 'reviews', rpcId, appId, language, newestFirst, count: Number(count) || 0, token, page }
}
