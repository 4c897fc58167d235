import type { ReviewRow } from '../../../src/contract/v1/reviews.ts'
import type { TriageBody } from '../../../src/contract/v1/triage.ts'
import { useTriage } from '../../data/triage.ts'
import { triageTexts } from '../../messages/triage.tsx'
import { notifyDone, notifyFailed, notifyNotDone, notifyUndoable } from '../../ui/confirm.tsx'

/** Changes several reviews, and offers to undo it. `what` says what happened to them. */
export function useBulkTriage() {
  const { changeSeveral } = useTriage()
  return async (reviews: readonly ReviewRow[], body: TriageBody, what: string): Promise<void> => {
    try {
      const changes = reviews.map(({ fingerprint }) => ({ fingerprint, ...body }))
      const { changed, undo, failed } = await changeSeveral(changes)
      if (changed > 0) {
        notifyUndoable({
          message: triageTexts.changed(changed, what),
          onUndo: () =>
            void changeSeveral(undo).then(() => notifyDone(triageTexts.undone(changed)), notifyFailed),
        })
      } else if (failed.length === 0) notifyDone(triageTexts.unchanged)
      if (failed.length > 0) notifyNotDone(triageTexts.notChanged, triageTexts.missing(failed.length))
    } catch (error) {
      notifyFailed(error)
    }
  }
}
