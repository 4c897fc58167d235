import type { QueryClient } from '@tanstack/react-query'
import { replies, storeReply } from './replies.ts'
import { onUserChange } from './user-change.ts'

/** After the last key. Leaving the field saves at once. */
const SAVE_AFTER_MS = 1_000

export type ShownDraft = {
  /** What was typed; null before the first key. */
  readonly text: string | null
  readonly saving: 'unchanged' | 'saving' | 'saved' | 'failed'
  readonly isPublishing: boolean
}

/** What is typed of the answer to a review. It outlives its editor until it is saved, so that the next one begins with it. */
export type AnswerDraft = {
  readonly shown: () => ShownDraft
  /** For an editor. */
  readonly subscribe: (listener: () => void) => () => void
  readonly edited: (text: string) => void
  readonly save: () => Promise<void>
  /** Publishes instead of saving, since an answer discards its draft. Saves the text after all when that fails. */
  readonly publish: <Published>(send: () => Promise<Published>) => Promise<Published>
  readonly forget: () => void
}

const drafts = new Map<string, AnswerDraft>()

export function answerDraft(queryClient: QueryClient, fingerprint: string): AnswerDraft {
  return drafts.get(fingerprint) ?? createDraft(queryClient, fingerprint)
}

onUserChange(() => {
  for (const draft of drafts.values()) draft.forget()
  drafts.clear()
})

/** Saves one request at a time, so that the last text is the one that stays. */
function createDraft(queryClient: QueryClient, fingerprint: string): AnswerDraft {
  let shown: ShownDraft = { text: null, saving: 'unchanged', isPublishing: false }
  let isSaved = true
  let timer: ReturnType<typeof setTimeout> | undefined
  let running: Promise<void> = Promise.resolve()
  const listeners = new Set<() => void>()
  const show = (change: Partial<ShownDraft>) => {
    shown = { ...shown, ...change }
    for (const listener of listeners) listener()
  }
  /** Once it is saved and no editor shows it, the stored draft counts, which a colleague may change. */
  const release = () => {
    if (listeners.size > 0 || !isSaved || shown.saving === 'saving' || shown.isPublishing) return
    if (drafts.get(fingerprint) === draft) drafts.delete(fingerprint)
  }
  const saveNow = async () => {
    const { text, isPublishing } = shown
    if (isSaved || isPublishing || text === null) return
    isSaved = true
    show({ saving: 'saving' })
    try {
      storeReply(queryClient, fingerprint, await replies.saveDraft(fingerprint, text))
      show({ saving: isSaved ? 'saved' : 'unchanged' })
    } catch {
      isSaved = false
      show({ saving: 'failed' })
    }
    release()
  }
  const save = (): Promise<void> => {
    clearTimeout(timer)
    running = running.then(saveNow)
    return running
  }
  const draft: AnswerDraft = {
    shown: () => shown,
    subscribe(listener) {
      drafts.set(fingerprint, draft)
      listeners.add(listener)
      return () => {
        listeners.delete(listener)
        void save().then(release)
      }
    },
    edited(text) {
      isSaved = false
      show({ text, saving: 'unchanged' })
      clearTimeout(timer)
      timer = setTimeout(() => void save(), SAVE_AFTER_MS)
    },
    save,
    async publish(send) {
      clearTimeout(timer)
      show({ isPublishing: true })
      try {
        await running
        const published = await send()
        isSaved = true
        show({ isPublishing: false })
        return published
      } catch (error) {
        isSaved = shown.text === null
        show({ isPublishing: false })
        void save()
        throw error
      } finally {
        release()
      }
    },
    forget() {
      clearTimeout(timer)
      show({ text: null })
    },
  }
  drafts.set(fingerprint, draft)
  return draft
}
