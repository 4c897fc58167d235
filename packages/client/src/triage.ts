import type { Call, CallOptions } from './transport.ts'
import type { BulkTriageBody, BulkTriageResult, ReviewNote, TriageBody, TriageDetail } from './types.ts'

/** What a team notes about reviews. */
export function triageCalls(call: Call) {
  const review = (fingerprint: string) => `/reviews/${encodeURIComponent(fingerprint)}`
  return {
    /** Changes status, assignee and tags. Absent fields stay as they are. */
    triageReview: (fingerprint: string, change: TriageBody, callOptions?: CallOptions) =>
      call<TriageDetail>(
        { method: 'PATCH', path: `${review(fingerprint)}/triage`, json: change },
        callOptions,
      ),
    /** Changes up to 100 reviews. `undo` of the answer, as another `reviews`, undoes it; other fields that changed since stay. */
    triageReviews: (reviews: BulkTriageBody['reviews'], callOptions?: CallOptions) =>
      call<BulkTriageResult>({ method: 'PATCH', path: '/triage', json: { reviews } }, callOptions),
    addReviewNote: (fingerprint: string, text: string, callOptions?: CallOptions) =>
      call<ReviewNote>({ method: 'POST', path: `${review(fingerprint)}/notes`, json: { text } }, callOptions),
    deleteReviewNote: (fingerprint: string, noteId: string, callOptions?: CallOptions) =>
      call<void>(
        { method: 'DELETE', path: `${review(fingerprint)}/notes/${encodeURIComponent(noteId)}` },
        callOptions,
      ),
  }
}
