import { useMediaQuery } from '@mantine/hooks'
import { useNavigate, useRouter } from '@tanstack/react-router'
import { useEffect } from 'react'
import type { ReviewSearch } from '../../data/search.ts'

/** From this width, a review opens beside the list; below, as a page. As in console.css. */
const WIDE = '(min-width: 75em)'

export type OpenReview = {
  /** Of the review beside the list. */
  readonly fingerprint: string | undefined
  readonly open: (fingerprint: string) => void
  /** Shows another one beside the list, if one is. */
  readonly follow: (fingerprint: string) => void
  readonly close: () => void
  /** Closes it for good: its address is no longer in the history. */
  readonly leave: () => Promise<void>
}

/**
 * The review that is open beside the list. Its address has it: the back button closes it, and who gets the address sees the same. Going
 * on to another one replaces it, so that one step back always closes.
 */
export function useOpenReview(filters: ReviewSearch, review: string | undefined): OpenReview {
  const navigate = useNavigate()
  const { history } = useRouter()
  const wide = useMediaQuery(WIDE, true, { getInitialValueInEffect: false })
  const isPage = !wide && review !== undefined
  useEffect(() => {
    if (isPage) {
      void navigate({ to: '/reviews/$fingerprint', params: { fingerprint: review }, replace: true })
    }
  }, [isPage, review, navigate])
  const show = (fingerprint: string) =>
    void navigate({
      to: '/reviews',
      search: { ...filters, review: fingerprint },
      replace: review !== undefined,
      resetScroll: false,
      state: (state) => ({ ...state, openedHere: review === undefined || state.openedHere === true }),
    })
  const leave = () => navigate({ to: '/reviews', search: filters, replace: true, resetScroll: false })
  return {
    fingerprint: wide ? review : undefined,
    open: (fingerprint) => {
      if (wide) show(fingerprint)
      else void navigate({ to: '/reviews/$fingerprint', params: { fingerprint } })
    },
    follow: (fingerprint) => {
      if (review !== undefined && wide) show(fingerprint)
    },
    close: () => {
      // An address that was opened with its review has no list before it in the history.
      if (history.location.state.openedHere === true) return history.back()
      void leave()
    },
    leave,
  }
}

declare module '@tanstack/history' {
  interface HistoryState {
    /** The entry before is the list without the review. */
    openedHere?: boolean
  }
}
