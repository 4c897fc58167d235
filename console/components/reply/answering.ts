import { createContext, useContext } from 'react'

/** In a queue, one review is answered at a time, and an answer leads to the next one. */
export type Answering = {
  readonly active: string | null
  readonly setActive: (fingerprint: string | null) => void
  readonly onPublished: (fingerprint: string) => void
}

export const AnsweringContext = createContext<Answering | null>(null)

/** Null in a list that is no queue. */
export function useAnswering(): Answering | null {
  return useContext(AnsweringContext)
}
