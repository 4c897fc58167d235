import type { RefObject } from 'react'
import { usePageKeys } from '../../ui/use-page-keys.ts'
import type { OpenReview } from './open-review.ts'

/**
 * `j` and `k` move from review to review, Enter opens one, and Escape closes it. Returns what closes the open review and moves the focus
 * back to the list.
 */
export function useFeedKeys(
  list: RefObject<HTMLElement | null>,
  opened: OpenReview,
): Pick<OpenReview, 'close' | 'leave'> {
  const cards = () => [...(list.current?.querySelectorAll<HTMLElement>('.review-card') ?? [])]
  const current = () => {
    const focused = cards().find((card) => card.contains(document.activeElement))
    return focused ?? cards().find(({ dataset }) => dataset.fingerprint === opened.fingerprint)
  }
  const focus = (card: HTMLElement | undefined) => {
    card?.focus({ preventScroll: true })
    card?.scrollIntoView({ block: 'nearest' })
  }
  const beside = (by: 1 | -1) => {
    const all = cards()
    const from = current()
    return all[from === undefined ? 0 : all.indexOf(from) + by]
  }
  const move = (by: 1 | -1) => {
    const next = beside(by)
    focus(next)
    if (next?.dataset.fingerprint !== undefined) opened.follow(next.dataset.fingerprint)
  }
  const close = () => {
    const card = current()
    opened.close()
    focus(card)
  }
  const leave = async () => {
    const next = beside(1) ?? beside(-1)
    await opened.leave()
    focus(next)
  }
  usePageKeys([
    ['j', () => move(1)],
    ['k', () => move(-1)],
    [
      'Enter',
      ({ target }) => {
        const card = target instanceof HTMLElement ? target : null
        if (card?.classList.contains('review-card') && card.dataset.fingerprint !== undefined) {
          opened.open(card.dataset.fingerprint)
        }
      },
      { preventDefault: false },
    ],
    [
      'Escape',
      () => {
        if (opened.fingerprint !== undefined) close()
      },
    ],
  ])
  return { close, leave }
}
