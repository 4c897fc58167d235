import { useHotkeys } from '@mantine/hooks'
import type { RefObject } from 'react'
import type { OpenReview } from './open-review.ts'

/** Escape closes these first. */
const LAYERS = '[role=dialog], [role=menu], [role=listbox]'

/** `j` and `k` move from review to review, Enter opens one, and Escape closes it. */
export function useFeedKeys(list: RefObject<HTMLElement | null>, opened: OpenReview): void {
  const cards = () => [...(list.current?.querySelectorAll<HTMLElement>('.review-card') ?? [])]
  const current = () => {
    const focused = cards().find((card) => card.contains(document.activeElement))
    return focused ?? cards().find(({ dataset }) => dataset.fingerprint === opened.fingerprint)
  }
  const focus = (card: HTMLElement | undefined) => {
    card?.focus({ preventScroll: true })
    card?.scrollIntoView({ block: 'nearest' })
  }
  const move = (by: 1 | -1) => {
    const all = cards()
    const from = current()
    const next = all[from === undefined ? 0 : all.indexOf(from) + by]
    focus(next)
    if (next?.dataset.fingerprint !== undefined) opened.follow(next.dataset.fingerprint)
  }
  useHotkeys([
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
      ({ target }) => {
        if (opened.fingerprint === undefined || (target instanceof Element && target.closest(LAYERS))) return
        const card = current()
        opened.close()
        focus(card)
      },
    ],
  ])
}
